import numpy as np
import pytest

from stages.files.artifacts import Arrays
from stages.measures import splits

RNG = np.random.default_rng(0)


def test_thinned_training_data_is_scored_on_its_own_rows() -> None:
    data: Arrays = {f"{split}_frames": RNG.normal(size=(9, 4)) for split in splits.SPLITS}
    data |= {f"{split}_masks": RNG.random((9, 4)) < 0.5 for split in splits.SPLITS}
    rows = np.array([1, 4, 8])
    stored = {f"{split}_predictions": data[f"{split}_frames"][None] for split in splits.SPLITS}
    stored |= {"train_rows": rows, "train_predictions": data["train_frames"][None, rows] + 0.5}
    mse = {split: float(scores["mse"].item()) for split, scores in splits.of_frames(stored, data, {})}
    assert mse == pytest.approx({"train": 0.25, "test": 0.0, "validation": 0.0})


@pytest.mark.parametrize("shape", [(2, 8, 4), (2, 9, 5), (2, 9)])
def test_predictions_of_another_shape_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="test predictions of shape"):
        splits.rows_of("test", {}, np.zeros((9, 4)), np.zeros(shape))


def test_training_rows_beyond_the_data_are_refused() -> None:
    with pytest.raises(ValueError, match="train predictions"):
        splits.rows_of("train", {"train_rows": np.array([0, 9])}, np.zeros(9), np.zeros((1, 2, 4)))


def test_floors_with_more_hidden_tokens_are_worse() -> None:
    covariance = 0.8 + 0.2 * np.eye(20)
    data = {"validation_frames": RNG.multivariate_normal(np.zeros(20), covariance, 500)}
    coordinates = RNG.normal(size=(20, 3))
    errors = []
    for percent in (10, 90):
        stream = np.random.default_rng(1)
        results = splits.of_floors_masked(data, percent, stream, covariance, 0.0, coordinates)
        errors.append({name: scores[f"mse_masked{percent}"].item() for name, _, scores in results})
    assert errors[0]["floor_gaussian"] < errors[1]["floor_gaussian"] < errors[1]["floor_zero"]
    assert set(errors[0]) == {"floor_zero", "floor_correlated", "floor_gaussian", "floor_nearest"}


def test_probe_s_logits_are_scored_against_the_tokens_places() -> None:
    logits = np.random.default_rng(0).normal(size=(3, 1, 4, 4))
    ((split, found),) = splits.of_probe({"train_logits": logits, "train_rows": np.arange(1)})
    assert split == "train" and set(found) == {"accuracy", "loss", "row_spread"}
    np.testing.assert_array_equal(found["accuracy"], (logits[:, 0].argmax(-1) == np.arange(4)).mean(-1))


def test_words_scores_are_averaged_over_sequences_and_tokens() -> None:
    stored = np.random.default_rng(0).random((3, 5, 4, 2)).astype(np.float32)
    ((split, found),) = splits.of_words({"test_scores": stored, "train_rows": np.arange(9)})
    assert split == "test"
    np.testing.assert_allclose(found["loss"], [np.mean(stored[k, ..., 0], dtype=float) for k in range(3)])
    np.testing.assert_allclose(found["accuracy"], stored[..., 1].mean((1, 2)), rtol=1e-6)

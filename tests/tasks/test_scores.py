import math

import numpy as np
import pytest

from stages.tasks.scoring import scores

LOGITS = np.log(np.array([[[0.7, 0.2, 0.1], [0.1, 0.1, 0.8], [0.5, 0.3, 0.2], [0.25, 0.5, 0.25]]]))
ANSWERS = np.array([1, 3, 2, 3], np.uint8)
RANDOM = np.random.default_rng(0)
FRAMES, MASKS = RANDOM.normal(size=(50, 6)), RANDOM.random((50, 6)) < 0.5
HALVES = {"early": np.array([True, True, False, False]), "late": np.array([False, False, True, True])}


def test_classified_by_hand() -> None:
    result = scores.classified(LOGITS, ANSWERS, HALVES | {"none": np.zeros(4, bool)})
    assert set(result) == {"accuracy", "loss", "accuracy_early", "accuracy_late"}  # no score of no puzzle
    assert result["accuracy"] == [0.5]
    assert result["accuracy_early"] == [1.0]
    assert result["accuracy_late"] == [0.0]
    assert result["loss"] == pytest.approx(-np.mean(np.log([0.7, 0.8, 0.3, 0.25])))


def test_equal_logits_cost_log_n_and_any_shift_is_free() -> None:
    level = scores.classified(np.full((2, 4, 3), -1e4, np.float32), ANSWERS, {})
    np.testing.assert_allclose(level["loss"], math.log(3))
    shifted = scores.classified(LOGITS + 500.0, ANSWERS, {})
    np.testing.assert_allclose(shifted["loss"], scores.classified(LOGITS, ANSWERS, {})["loss"])


def test_visible_tokens_never_count() -> None:
    predictions = np.where(MASKS, 0.9 * FRAMES, 1e6)[None]
    result = scores.masked(predictions, FRAMES, MASKS, {})
    assert result["mse"] == pytest.approx(0.01 * np.mean(FRAMES[MASKS] ** 2))
    assert result["r2"] == pytest.approx(1 - result["mse"] / FRAMES[MASKS].var())


def test_r2_is_zero_for_the_mean_and_one_for_the_truth() -> None:
    both = np.stack([np.full_like(FRAMES, FRAMES[MASKS].mean()), FRAMES])
    np.testing.assert_allclose(scores.masked(both, FRAMES, MASKS, {})["r2"], [0.0, 1.0], atol=1e-12)


def test_groups_of_tokens_split_the_error() -> None:
    dim = np.arange(6) < 2
    result = scores.masked((FRAMES + [1, 1, 2, 2, 2, 2])[None], FRAMES, MASKS, {"dim": dim, "rest": ~dim})
    np.testing.assert_allclose([*result["mse_dim"], *result["mse_rest"]], [1, 4])


def test_row_spread_is_of_log_probabilities_and_knows_no_shift() -> None:
    logits = np.random.default_rng(2).normal(size=(1, 4, 3))
    log_p = np.log(np.exp(logits[0]) / np.exp(logits[0]).sum(-1, keepdims=True))
    apart = max(np.linalg.norm(row - log_p.mean(0)) for row in log_p)
    expected = apart / max(np.linalg.norm(row) for row in log_p)
    assert scores.row_spread(logits) == pytest.approx(expected)
    assert scores.row_spread(logits + np.arange(4)[:, None]) == pytest.approx(expected)


def test_equal_rows_do_not_spread_even_where_nothing_is_told_apart() -> None:
    rows = np.zeros((2, 4, 3), np.float32)
    rows[1] = [1, 2, 3]
    np.testing.assert_allclose(scores.row_spread(rows + np.float32(1e-9)), 0, atol=1e-12)


def test_a_replica_has_diverged_where_any_prediction_is_not_finite() -> None:
    stored = {
        "test_logits": np.zeros((3, 2, 4)),
        "train_logits": np.zeros((3, 5, 4)),
        "train_rows": np.ones(2),
    }
    stored["test_logits"][0, 1, 3], stored["train_logits"][2, 4, 0] = np.nan, np.inf
    assert scores.diverged(stored).tolist() == [True, False, True]

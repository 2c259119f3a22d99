"""Scores of every task from stored predictions, and floors without a model."""

import numpy as np
import pytest
from changed_params import change_settings

from stages.core.randomness.masks import draw_masks
from stages.files.artifacts import Arrays
from stages.parameters import params
from stages.tasks.facts import find_facts
from stages.tasks.scoring.interface import find_scoring, predicted_rows

SPLITS = ("train", "test", "validation")
N, TOKENS, REPLICAS = 24, 6, 2


def make_data() -> Arrays:
    random = np.random.default_rng(0)
    data: Arrays = {"labels": np.array([f"R{token}" for token in range(TOKENS)])}
    data["coordinates"] = random.normal(size=(TOKENS, 3))
    for split in SPLITS:
        data[f"{split}_answers"] = random.integers(1, 5, N)
        data[f"{split}_complexity"] = np.resize([2, 3, 4], N)
        data[f"{split}_frames"] = random.normal(size=(N, TOKENS))
        data[f"{split}_masks"] = draw_masks(N, TOKENS, 0.5, random)
    return data


def predict(task: str, data: Arrays, share: float) -> Arrays:
    """Make predictions that are right for that share of the examples, and say nothing of the others."""
    known = np.arange(N) < share * N
    if task == "probe":
        return {
            "train_rows": np.arange(1),
            "train_logits": np.stack([np.eye(N) * known[:, None]] * 2)[:, None],
        }
    stored: Arrays = {"train_rows": np.arange(N)}
    loss = np.stack([np.where(known, 0.0, np.log(8)), known], -1)
    stored["test_scores"] = np.broadcast_to(loss[:, None], (REPLICAS, N, TOKENS, 2))
    for split in SPLITS if find_facts(task).made_by else ():
        logits = np.eye(4)[data[f"{split}_answers"] - 1] * known[:, None]
        stored[f"{split}_logits"] = np.stack([logits] * REPLICAS)
        stored[f"{split}_predictions"] = np.stack([data[f"{split}_frames"] * known[:, None]] * REPLICAS)
        stored[f"{split}_losses"] = np.stack([np.where(known[:, None], 0.0, np.ones(TOKENS))] * REPLICAS)
    return stored


@pytest.mark.parametrize("task", params.task_names())
def test_the_task_s_score_ranks_a_perfect_model_first_and_chance_last(task: str) -> None:
    score, data, values = find_facts(task).score, make_data(), {}
    asked = {"language": "asked", "running_text": "windows"}.get(task)
    data |= {f"{split}_{asked}": data[f"{split}_masks"] for split in SPLITS if asked}
    for name, share in {"middling": 0.5, "chance": 0.0, "perfect": 1.0}.items():
        splits = dict(find_scoring(task).score_splits(predict(task, data, share), data))
        values[name] = splits[score.split][score.metric]
        assert values[name].shape == (REPLICAS,)
        assert {f"{split}/{metric}" for split in splits for metric in splits[split]} <= {
            *find_facts(task).scored
        }
    ranked = sorted(values, key=lambda name: values[name].mean(), reverse=score.higher_is_better)
    assert ranked == ["perfect", "middling", "chance"]
    assert values["perfect"] == pytest.approx(1.0 if score.higher_is_better else 0.0)
    assert find_facts(task).made_by or values["middling"] == pytest.approx(0.5)


def test_thinned_training_data_is_scored_on_its_own_rows() -> None:
    data, rows = make_data(), np.array([1, 4, 8])
    errors = np.where(data["train_masks"], 0.5, 9.0)  # the visible tokens do not count
    stored = predict("network", data, 1.0) | {"train_rows": rows}
    stored["train_predictions"] = (data["train_frames"] + errors)[None, rows]
    splits = find_scoring("network").score_splits(stored, data)
    mse = {split: values["mse"].mean() for split, values in splits}
    assert mse == pytest.approx({"train": 0.25, "test": 0.0, "validation": 0.0})


def test_held_out_pairs_are_scored_apart() -> None:
    data = make_data()
    data["neighbours"] = ~np.eye(TOKENS, dtype=np.bool_)
    data["held_out"] = np.zeros((TOKENS, TOKENS), np.bool_)
    data["held_out"][0, 1] = data["held_out"][1, 0] = True
    hidden = data["test_masks"]
    asked = {
        "seen": hidden & ~np.isin(range(TOKENS), [0, 1]) | hidden & hidden[:, [1, 0, 2, 3, 4, 5]],
        "new": np.zeros_like(hidden),  # half of six are visible: three, of which one at most is held out
    }
    errors = np.where(asked["seen"], 0.5, 9.0)
    stored = predict("network", data, 1.0)
    stored["test_predictions"] = (data["test_frames"] + errors)[None]
    scored = dict(find_scoring("network").score_splits(stored, data))["test"]
    assert scored["seen"] == pytest.approx(0.25) == scored["mse"] and "new" not in scored


def test_new_pairs_are_where_a_token_sees_none_but_those_held_out_from_it() -> None:
    data = make_data()
    data["neighbours"] = ~np.eye(TOKENS, dtype=np.bool_)
    data["held_out"] = np.zeros((TOKENS, TOKENS), np.bool_)
    data["held_out"][0, 1] = data["held_out"][1, 0] = True
    data["test_masks"] = np.ones((N, TOKENS), np.bool_)
    data["test_masks"][::2, 1] = False  # 0 sees 1 alone, which is new; the others see it too, and were taught
    data["test_masks"][1::2, 2] = False
    errors = np.full((N, TOKENS), 1.0)
    errors[::2, 0] = 9.0
    stored = predict("network", data, 1.0)
    stored["test_predictions"] = (data["test_frames"] + errors)[None]
    scored = dict(find_scoring("network").score_splits(stored, data))["test"]
    assert scored["new"] == pytest.approx(81) and scored["seen"] == scored["mse"] == pytest.approx(1)


def test_puzzles_that_a_held_out_line_decides_are_scored_apart() -> None:
    row_decides = [1, 2, 5, 3, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0]
    column_decides = [0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 5, 0]
    data = make_data()
    for split in SPLITS:
        data[f"{split}_puzzles"] = np.array([row_decides, column_decides] * (N // 2), np.uint8)
    data["held_out"] = np.zeros((16, 2), np.bool_)
    data["held_out"][2, 0] = True  # the row of the first puzzle's target
    stored = predict("grid", data, 1.0)
    stored["test_logits"][:, ::2] *= -1
    scored = dict(find_scoring("grid").score_splits(stored, data))["test"]
    assert scored["new"].tolist() == [0, 0] and scored["seen"].tolist() == [1, 1]


def test_predictions_that_do_not_fit_the_data_are_refused() -> None:
    for shape in ((2, 8, 4), (2, 9, 5), (2, 9)):
        with pytest.raises(ValueError, match=r"test predictions of shape \(2, .* do not fit .* shape \(9, 4"):
            predicted_rows("test", {}, np.zeros((9, 4)), np.zeros(shape))
    rows = {"train_rows": np.array([0, 8])}
    assert predicted_rows("train", rows, np.zeros(9), np.zeros((1, 2, 4))).tolist() == [0, 8]
    with pytest.raises(ValueError, match="train predictions"):
        predicted_rows("train", {"train_rows": np.array([0, 9])}, np.zeros(9), np.zeros((1, 2, 4)))


def test_only_regions_known_for_dropout_are_scored_apart() -> None:
    data = make_data()
    stored = predict("recordings", data, 1.0)
    for name, extra in (("Rolandic", set()), ("Rectus", {"mse_dropout", "mse_signal"})):
        data["labels"] = np.array([name, *"BCDEF"])
        scored = dict(find_scoring("recordings").score_splits(stored, data))["test"]
        assert set(scored) == {"mse", "r2"} | extra


def test_floors_of_the_recordings_worsen_with_the_share_masked() -> None:
    random, data = np.random.default_rng(0), make_data()
    for split in SPLITS:
        shared = random.normal(size=(3000, 1))
        data[f"{split}_frames"] = 0.9 * shared + 0.45 * random.normal(size=(3000, TOKENS))
        data[f"{split}_masks"] = random.random((3000, TOKENS)) < 0.5
    rows = list(find_scoring("recordings").score_floors(change_settings({}), data))
    names = {"floor_zero", "floor_correlated", "floor_gaussian", "floor_nearest"}
    assert {floor for floor, split, values in rows if "mse" in values and split == "test"} == names
    gaussian = {
        key: value.item() for floor, _, of in rows if "gaussian" in floor for key, value in of.items()
    }
    masked = [gaussian[f"mse_masked{percent}"] for percent in (10, 50, 75, 90)]
    assert masked == sorted(masked) and masked[0] < masked[-1] < 1.1


def test_the_gaussian_floor_of_the_recordings_is_scored_on_the_frames_trained_on_too() -> None:
    data = make_data()
    settings = change_settings({"scales.smoke.recordings.data.frame_step": 3, "recordings.ridge": 0.1})
    found = find_scoring("recordings").score_floors(settings, data)
    train = {floor: values["mse"].item() for floor, split, values in found if split == "train"}
    frames, masks = data["train_frames"][::3], data["train_masks"][::3]
    ridged = np.cov(frames.T) + 0.1 * np.eye(TOKENS)
    errors = [
        ridged[np.ix_(hidden, ~hidden)] @ np.linalg.inv(ridged[np.ix_(~hidden, ~hidden)]) @ frame[~hidden]
        - frame[hidden]
        for frame, hidden in zip(frames, masks, strict=True)
    ]
    assert train == {"floor_gaussian": pytest.approx(np.mean(np.concatenate(errors) ** 2))}


def test_floors_of_the_network_know_no_coordinates_and_puzzles_have_none() -> None:
    rows = find_scoring("network").score_floors(change_settings({}), make_data())
    names = {"floor_zero", "floor_correlated", "floor_gaussian", "floor_trees"}
    assert {floor for floor, _, _ in rows} == names
    assert not list(find_scoring("grid").score_floors(change_settings({}), make_data()))

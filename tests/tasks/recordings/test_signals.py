from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.io import loadmat

from stages.tasks.recordings import signals

ROOT = Path(__file__).parents[3]


def test_mean_structural_is_the_symmetrised_mean() -> None:
    first, second = np.array([[0.0, 2], [4, 0]]), np.array([[0.0, 6], [8, 0]])
    np.testing.assert_allclose(signals.average_structural([first, second]), [[0, 5], [5, 0]])


GROUPS = {"1": "a", "2": "a", "3": "b", "4": "b"}


@pytest.mark.parametrize(
    ("train_group", "named", "validation", "train"),
    [
        (None, [], ["2"], ["1", "3", "4"]),
        ("a", [], ["2"], ["1"]),
        ("a", [], ["4", "3"], ["1", "2"]),
        ("a", ["4", "1", "4"], ["3"], ["1", "4"]),
    ],
)
def test_people_to_validate_with_are_never_trained_on(
    train_group: str | None, named: list[str], validation: list[str], train: list[str]
) -> None:
    assert signals.choose_people(GROUPS, train_group, named, validation) == (train, sorted(validation))


MISTAKES: dict[str, tuple[str | None, list[str], list[str]]] = {
    r"validation_subjects: '9' is not known; expected some of \['1', '2', '3', '4'\]; ": (None, [], ["9"]),
    r"validation_subjects: \['1', '2', '3', '4'\] leave nobody to train on": (None, [], list("1234")),
    r"validation_subjects: \['1', '2'\] leave nobody of train_group 'a' to train on": ("a", [], ["1", "2"]),
    r"train_group: 'c' is not known; expected null or one of \['a', 'b'\]": ("c", [], ["1"]),
    r"train_subjects: '8' is not known; expected some of ": (None, ["1", "8"], ["2"]),
    r"train_subjects: '2' is in validation_subjects too, expected in one": (None, ["1", "2"], ["2"]),
}


@pytest.mark.parametrize("message", MISTAKES)
def test_impossible_choices_of_people_are_refused(message: str) -> None:
    with pytest.raises(ValueError, match=rf"^recordings\.{message}[^\n]*$"):
        signals.choose_people(GROUPS, *MISTAKES[message])


def test_people_are_counted_by_group() -> None:
    assert signals.count_people(["hcp", "gw", "hcp"]) == "gw 1, hcp 2"
    assert signals.count_people(["", ""]) == "2"


def test_twelve_dropout_regions_are_dim_and_rough_in_time(recordings_folder: Path) -> None:
    labels = pd.read_csv(ROOT / "data/reference/aal2_regions.csv")["label"].tolist()
    dropout = signals.find_dropout_regions(labels)
    assert dropout.sum() == 12
    raw = [loadmat(path)["tc"] for path in sorted(recordings_folder.glob("hcp/*/tc.mat"))]
    brightness = np.mean([activity.mean(axis=1) / activity.mean() for activity in raw], axis=0)
    assert np.median(brightness[dropout]) < 0.8 < 1.0 < np.median(brightness[~dropout])
    assert dropout[brightness.argsort()[:5]].all()
    z = [signals.z_score(activity.T) for activity in raw]
    lag_one = np.mean([(run[1:] * run[:-1]).mean(axis=0) for run in z], axis=0)
    assert np.median(lag_one[dropout]) < 0.3 < 0.6 < np.median(lag_one[~dropout])

"""Floors against hand-worked cases and, on the real recordings, against independently measured values.

Those values are of the 80 cortical AAL2 regions, trained on five subjects, tested on 213522 and 377451.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.io import loadmat

from stages.core.randomness.masks import draw_masks
from stages.files import memory_maps
from stages.tasks.recordings import signals
from stages.tasks.scoring import floors

REGIONS = pd.read_csv(Path(__file__).parents[2] / "data/reference/aal2_regions.csv")
CORTICAL = REGIONS["cortical80"].to_numpy() == 1
MEASURED = {  # share hidden: zero, nearest, most correlated, Gaussian
    0.10: (0.995, 0.582, 0.484, 0.375),
    0.50: (0.998, 0.626, 0.519, 0.411),
    0.75: (0.998, 0.678, 0.564, 0.466),
    0.90: (1.000, 0.740, 0.635, 0.561),
}


def correlated(n_frames: int, n: int) -> floors.Matrix:
    numbers = np.random.default_rng(0)
    return np.asarray(numbers.normal(size=(n_frames, n)) @ numbers.normal(size=(n, n)) / np.sqrt(n))


@pytest.fixture(scope="module")
def runs(recordings_folder: Path) -> dict[str, signals.Matrix]:
    """Return z-scored frames [1200, 80] of each subject's cortical regions."""
    return {
        folder.name: signals.z_score(loadmat(folder / "tc.mat")["tc"][CORTICAL].T)
        for folder in sorted((recordings_folder / "hcp").iterdir())
    }


def test_covariance_of_parts_is_the_covariance_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_maps, "CHUNK", 1000)  # bytes: parts of 31 frames
    training = 0.3 + correlated(200, 4)
    np.testing.assert_allclose(floors.covariance(training), np.cov(training.T), rtol=1e-12)


def test_nearest_and_most_correlated_choose_among_the_visible() -> None:
    training = correlated(200, 3) + 2 * correlated(200, 3)[:, [1, 0, 2]]
    r = pd.DataFrame(training).corr().to_numpy()
    frames, masks = np.array([[1.0, 2, 3], [1, 2, 3]]), np.array([[True, False, False], [True, True, False]])
    predicted = floors.predict(frames, masks, np.cov(training.T), 0.0, np.array([[0.0], [1], [5]]))
    np.testing.assert_allclose(
        predicted["floor_nearest"], [[r[0, 1] * 2, 0, 0], [r[0, 2] * 3, r[1, 2] * 3, 0]]
    )
    best = max((1, 2), key=lambda j: abs(r[0, j]))
    np.testing.assert_allclose(predicted["floor_correlated"][0], [r[0, best] * frames[0, best], 0, 0])


def test_gaussian_is_the_conditional_mean_of_every_single_frame() -> None:
    training, frames = correlated(300, 6), correlated(310, 6)[-200:]
    masks = np.random.default_rng(1).random(frames.shape) < 0.5  # other counts hidden in other frames
    given = np.cov(training.T)
    covariance = given + 0.1 * np.eye(6)
    expected = np.zeros_like(frames)
    for t, (x, hidden) in enumerate(zip(frames, masks, strict=True)):
        gain = covariance[np.ix_(hidden, ~hidden)] @ np.linalg.inv(covariance[np.ix_(~hidden, ~hidden)])
        expected[t, hidden] = gain @ x[~hidden]
    np.testing.assert_allclose(floors.gaussian(given, frames, masks, 0.1), expected, atol=1e-10)


def test_nothing_visible_predicts_the_mean() -> None:
    frames = correlated(30, 3)
    hidden = np.ones(frames.shape, bool)
    predictions = floors.predict(frames, hidden, np.cov(frames.T), 0.1, np.eye(3))
    for predicted in predictions.values():
        np.testing.assert_array_equal(predicted, np.zeros(frames.shape))


def test_masked_mse_counts_hidden_nodes_alone_and_needs_one() -> None:
    predictions, frames = np.array([[1.0, 9], [0, 2]]), np.array([[0.0, 0], [0, 5]])
    assert floors.masked_mse(predictions, frames, np.array([[True, False], [True, True]])) == pytest.approx(
        10 / 3
    )
    with pytest.raises(ValueError, match="no node is hidden"):
        floors.masked_mse(np.zeros((2, 2)), np.zeros((2, 2)), np.zeros((2, 2), bool))


@pytest.mark.parametrize("fraction", MEASURED)
def test_floors_on_real_recordings_are_as_measured(fraction: float, runs: dict[str, signals.Matrix]) -> None:
    *others, one, other = runs.values()  # 213522 and 377451
    training = np.concatenate([run[signals.part_of("train", len(run))] for run in others])
    covariance, frames = floors.covariance(training), np.tile(np.concatenate([one, other]), (3, 1))
    masks = draw_masks(len(frames), 80, fraction, np.random.default_rng(0))  # three per frame: less noise
    coordinates = REGIONS.loc[CORTICAL, ["x_mm", "y_mm", "z_mm"]].to_numpy(float)
    predictions = floors.predict(frames, masks, covariance, 0.1, coordinates)
    names = ("floor_zero", "floor_nearest", "floor_correlated", "floor_gaussian")
    errors = [floors.masked_mse(predictions[name], frames, masks) for name in names]
    np.testing.assert_allclose(errors, MEASURED[fraction], rtol=0, atol=0.01)

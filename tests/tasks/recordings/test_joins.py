from pathlib import Path

import numpy as np
import pytest

from stages.tasks.recordings.joins import say_join

PATH = Path("a.npy")
FRAMES = np.random.default_rng(0).normal(size=(200, 12))


@pytest.mark.parametrize(
    ("joined", "frame"),
    [
        (np.concatenate([FRAMES[:150], 0.3 * FRAMES[150:] + 8]), 150),
        (np.concatenate([FRAMES[:40] + np.linspace(-60, 90, 12), FRAMES[40:]]), 40),
        (np.concatenate([1000 + 20 * FRAMES[:100], 700 + 5 * FRAMES[100:]]).astype(np.float32), 100),
    ],
)
def test_two_scans_of_other_levels_are_said(
    joined: np.ndarray, frame: int, capsys: pytest.CaptureFixture[str]
) -> None:
    say_join(joined, PATH)
    assert capsys.readouterr().out.startswith(
        f"a.npy: from frame {frame} of those kept, counted from 0, most"
    )


@pytest.mark.parametrize(
    "scan",
    [
        FRAMES,
        np.cumsum(FRAMES, axis=0),
        FRAMES + np.linspace(0, 500, 200)[:, None],
        FRAMES + 50 * np.exp(-np.arange(200) / 20)[:, None],
        np.where(np.arange(200)[:, None] < 5, 40, 1) * FRAMES,
        np.where(np.arange(12) < 4, np.repeat([0, 9], 100)[:, None], 0) + FRAMES,
        FRAMES[:20],
    ],
    ids=["noise", "walk", "drift", "decay", "unsteady", "few regions", "short"],
)
def test_one_scan_is_not(scan: np.ndarray, capsys: pytest.CaptureFixture[str]) -> None:
    say_join(scan, PATH)
    assert capsys.readouterr().out == ""

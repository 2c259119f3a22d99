from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from stages.tasks.recordings.interpolations import say_interpolated

FRAMES = np.apply_along_axis(
    np.convolve, 0, np.random.default_rng(0).normal(size=(220, 12)), np.hanning(7), "valid"
)
KEPT = np.setdiff1d(np.arange(len(FRAMES)), [40, 41, 90, 120, 121, 122, 123])


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_frames_on_a_line_are_said(kind: type, capsys: pytest.CaptureFixture[str]) -> None:
    known = FRAMES[KEPT].T
    filled = np.stack([np.interp(np.arange(len(FRAMES)), KEPT, region) for region in known], axis=1)
    say_interpolated((1000 + 20 * filled).astype(kind), Path("a.npy"))
    said = capsys.readouterr().out
    assert said.startswith("a.npy: 7 of 214 frames are on a straight line through their neighbours in nearly")
    assert "(the first is frame 40 of those kept" in said


def test_frames_on_a_cubic_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    say_interpolated(CubicSpline(KEPT, FRAMES[KEPT])(np.arange(len(FRAMES))), Path("a.npy"))
    assert " frames are on a cubic through their neighbours" in capsys.readouterr().out


@pytest.mark.parametrize(
    "frames",
    [FRAMES, np.rint(FRAMES), np.repeat(FRAMES, 3, axis=0), FRAMES[:, :9], np.ones((50, 12))],
    ids=["smooth", "whole numbers", "held", "few regions", "constant"],
)
def test_others_are_not(frames: np.ndarray, capsys: pytest.CaptureFixture[str]) -> None:
    say_interpolated(frames, Path("a.npy"))
    assert not capsys.readouterr().out

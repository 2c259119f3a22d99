from pathlib import Path

import numpy as np
import pytest

from stages.parameters.errors import InputError
from stages.tasks.recordings.readers.interface import Run
from stages.tasks.recordings.regions import arrange_frames

FRAMES = np.random.default_rng(0).normal(size=(100, 12))
LABELS = [f"r{row}" for row in range(12)]


@pytest.mark.parametrize("chosen", [slice(20, 60), slice(0, 90, 3)])
def test_many_frames_that_repeat_are_refused(chosen: slice) -> None:
    for value in (0.0, FRAMES[5]):
        frames = FRAMES.copy()
        frames[chosen] = value
        with pytest.raises(InputError, match=r"\d+ of 100 frames are equal to earlier ones .*; cut them out"):
            arrange_frames(Run(frames), LABELS, 0, Path("a.npy"))


def test_few_frames_that_repeat_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    arrange_frames(Run(FRAMES), LABELS, 0, Path("a.npy"))
    arrange_frames(Run(FRAMES[:, :3].round()), LABELS[:3], 0, Path("a.npy"))
    assert not capsys.readouterr().out
    frames = FRAMES.copy()
    frames[10:15] = 0
    arrange_frames(Run(frames), LABELS, 0, Path("a.npy"))
    assert (
        "a.npy: 4 of 100 frames are equal to earlier ones (the first is frame 11" in capsys.readouterr().out
    )

"""First frames that are not steady are said, and no others."""

from pathlib import Path

import numpy as np
import pytest

from stages.tasks.recordings.steadiness import say_unsteady


@pytest.mark.parametrize(("height", "told"), [(200, 5), (40, 5), (10, 4), (8, 4), (5, 2), (0, 0)])
def test_first_frames_that_decay_are_said(
    height: float, told: int, capsys: pytest.CaptureFixture[str]
) -> None:
    frames = np.random.default_rng(0).normal(size=(150, 30)).cumsum(axis=0) * 0.02
    frames += np.random.default_rng(1).normal(size=frames.shape)
    decay = height * 0.75 ** np.arange(5)
    frames[:5] += decay[:, None]
    say_unsteady(1000 + 3 * frames, 2, Path("a.csv"))
    said = capsys.readouterr().out
    assert said.count("\n") == bool(told)
    assert not told or (f"the first {told} frames" in said and f"drop_first: {told + 2} leaves" in said)


def test_a_jump_later_and_short_runs_are_not(capsys: pytest.CaptureFixture[str]) -> None:
    frames = np.random.default_rng(0).normal(size=(150, 30))
    frames[[0, 40, 90, 120]] += 9  # motion
    say_unsteady(frames, 0, Path("a.csv"))
    say_unsteady(frames[:60], 0, Path("a.csv"))
    assert not capsys.readouterr().out

from pathlib import Path

import numpy as np
import pytest

from stages.tasks.recordings.courses import say_courses

FRAMES = np.random.default_rng(0).normal(size=(200, 12))
TIME = np.linspace(-1, 1, 200)[:, None]
SIGNS = np.where(np.arange(12) % 2, 1, -1)


@pytest.mark.parametrize("course", [TIME, SIGNS * TIME, TIME**2, 30 * TIME, TIME + TIME**2])
def test_a_drift_is_said(course: np.ndarray, capsys: pytest.CaptureFixture[str]) -> None:
    say_courses(1000 + FRAMES + 2 * course, Path("a.npy"))
    assert capsys.readouterr().out.startswith("a.npy: a straight line or parabola over time is ")


def test_its_share_is_that_of_a_closed_form(capsys: pytest.CaptureFixture[str]) -> None:
    say_courses(FRAMES + np.sqrt(3) * TIME, Path("a.npy"))  # the line's variance is 1, as that of noise
    share = int(capsys.readouterr().out.split(" is ")[1].split("%")[0])
    assert share == pytest.approx(50, abs=8)


@pytest.mark.parametrize("signs", [1, SIGNS])
def test_a_course_of_all_regions_is_said(signs: int | np.ndarray, capsys: pytest.CaptureFixture[str]) -> None:
    common = np.random.default_rng(1).normal(size=(200, 1))
    say_courses(FRAMES + 3 * signs * common, Path("a.npy"))
    assert capsys.readouterr().out.startswith("a.npy: one course over time is 9")
    say_courses(FRAMES + signs * common, Path("a.npy"))  # half of the variance
    assert not capsys.readouterr().out


@pytest.mark.parametrize(
    "frames",
    [FRAMES, FRAMES[:40] + TIME[:40], FRAMES + 0.5 * TIME, (FRAMES + 9 * FRAMES[:, :1])[:, :9]],
    ids=["noise", "short", "slight", "few regions"],
)
def test_others_are_not(frames: np.ndarray, capsys: pytest.CaptureFixture[str]) -> None:
    say_courses(frames, Path("a.npy"))
    assert not capsys.readouterr().out

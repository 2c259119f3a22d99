import math
from pathlib import Path

import numpy as np
import pytest

from stages.core.settings.errors import InputError
from stages.files.number_csv import say_once
from stages.tasks.recordings.consistency import agree_on_seconds
from stages.tasks.recordings.signals import likeness

FILE = Path("a.nii")


@pytest.mark.parametrize(
    ("said", "given", "seconds"),
    [
        (2.0, None, 2.0),
        (2.0, 2.00001, 2.0),
        (None, 2.0, 2.0),
        (None, None, None),
        (math.nan, 2.0, 2.0),
        (math.inf, 2.0, 2.0),
        (-2.0, 2.0, 2.0),
        (0.0, None, None),
        (2000.0, 2.0, 2.0),
        (300.0, 300.0, 300.0),
    ],
)
def test_what_no_file_can_mean_is_not_said(
    said: float | None, given: float | None, seconds: float | None
) -> None:
    assert agree_on_seconds(said, given, FILE) == seconds


@pytest.mark.parametrize("said", [2000.0, 800.0, 2e6, 0.00072, -2.0, math.nan, math.inf])
def test_seconds_in_another_unit_are_asked_for(said: float) -> None:
    with pytest.raises(
        InputError, match=r"^a\.nii: .* s between .* 0\.001 to 60, .* in recordings\.frame_seconds$"
    ):
        agree_on_seconds(said, None, FILE)


@pytest.mark.parametrize(("given", "odd"), [(0.00072, True), (720, True), (0.72, False), (0.05, False)])
def test_seconds_given_in_another_unit_are_said(
    given: float, odd: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    say_once.cache_clear()
    assert agree_on_seconds(None, given, FILE) == given
    assert ("frame_seconds: " in capsys.readouterr().out) == odd


def test_runs_are_alike_as_far_as_most_regions_are() -> None:
    random = np.random.default_rng(0)
    frames, other = random.normal(size=(2, 500, 5))
    mixed = np.where(np.arange(5) < 3, 3 * frames + 1, other)
    assert likeness(frames, mixed) == pytest.approx(1)
    assert abs(likeness(frames, other)) < 0.1
    assert likeness(frames, np.zeros_like(frames)) == 0

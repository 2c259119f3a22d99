from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stages.core.settings.errors import InputError
from stages.files.number_csv import say_once
from stages.tasks.recordings.frames import arrange_frames
from stages.tasks.recordings.readers.interface import Run

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


@pytest.mark.parametrize("code", [-9999, 1e5, 999])
def test_codes_of_missing_values_are_said(code: float, capsys: pytest.CaptureFixture[str]) -> None:
    spread = FRAMES * np.abs(FRAMES)  # far from normal
    arrange_frames(Run(spread), LABELS, 0, Path("a.npy"))
    assert not capsys.readouterr().out
    frames = spread.copy()
    frames[[5, 50, 70], 4] = code
    arrange_frames(Run(frames), LABELS, 0, Path("a.npy"))
    said = capsys.readouterr().out
    assert said.startswith("a.npy: 3 values of 1 regions are over 100 robust standard deviations from ")
    assert f"(the first is {code:g} of r4 in frame 5 " in said


def test_regions_that_are_mostly_one_value_have_no_codes(capsys: pytest.CaptureFixture[str]) -> None:
    spikes = np.where(FRAMES > 1, FRAMES, 0)
    arrange_frames(Run(spikes), LABELS, 0, Path("a.npy"))
    assert "robust" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("code", "said"), [(-99, "far from all"), (-9, "far from all"), (0, "3 times in 1 of ")]
)
def test_codes_near_other_values_are_said(code: float, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    frames = FRAMES.copy()
    frames[[5, 50, 70], 4] = code
    arrange_frames(Run(frames), LABELS, 0, Path("a.npy"))
    told = capsys.readouterr().out
    assert f"{code} stands in rows 5, 50, 70, counted from 0, {said}" in told and told.count("\n") == 1


@pytest.mark.parametrize("kind", [np.float64, np.float32])
@pytest.mark.parametrize(("mean", "noise"), [(7, 1e-9), (0, 1e-14), (1e4, 1e-5)])
def test_a_region_that_is_flat_but_for_rounding_is_refused(mean: float, noise: float, kind: type) -> None:
    frames = mean + FRAMES * np.where(np.arange(12) == 4, noise, 50)
    with pytest.raises(InputError, match="r4 is constant but for rounding"):
        arrange_frames(Run(frames.astype(kind)), LABELS, 0, Path("a.npy"))


@pytest.mark.parametrize(
    "column",
    [np.arange(100) // 20, -np.cumsum(FRAMES[:, 4] ** 2), 0.1 * np.round(7.2 * np.arange(100))],
    ids=["blocks", "jittered", "rounded"],
)
def test_a_region_that_never_turns_is_said(column: np.ndarray, capsys: pytest.CaptureFixture[str]) -> None:
    frames = np.where(np.arange(12) == 4, column[:, None], FRAMES)
    arrange_frames(Run(frames), LABELS, 0, Path("a.npy"))
    assert "a.npy: region r4 never falls, or never rises, in 100 frames (1 of 12" in capsys.readouterr().out


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_regions_that_are_sums_of_others_are_said(kind: type, capsys: pytest.CaptureFixture[str]) -> None:
    mean = np.where(np.arange(12) == 4, np.delete(FRAMES, 4, 1).mean(axis=1, keepdims=True), FRAMES)
    regressed = FRAMES - FRAMES.mean(axis=1, keepdims=True)
    for rank, frames in ((11, mean), (11, regressed), (3, FRAMES[:, :3] @ FRAMES[:3])):
        say_once.cache_clear()
        arrange_frames(Run((50 + frames).astype(kind)), LABELS, 0, Path("a.npy"))
        assert f"signals of 12 regions are sums of {rank} signals" in capsys.readouterr().out


@pytest.mark.parametrize("labels", [LABELS, LABELS[::-1]])
def test_transposed_frames_are_refused_in_any_order_of_regions(labels: list[str]) -> None:
    wide = np.random.default_rng(0).normal(size=(12, 100))
    with pytest.raises(
        InputError, match=r"shape \(12, 100\): rows are time; 12 regions are known; transpose"
    ):
        arrange_frames(Run(wide, labels), LABELS, 0, Path("a.nwb"))


@pytest.mark.parametrize(
    ("level", "value", "chosen"), [(100, 0, slice(50, 53)), (4, 0, [7]), (-20, -1, slice(96, 100))]
)
def test_lost_frames_are_refused_by_their_number(level: float, value: float, chosen: Any) -> None:
    frames = level + FRAMES
    frames[chosen] = value
    at = np.arange(100)[chosen]
    said = rf"^a.npy: {value} in all regions in {len(at)} of 100 frames \(the first is frame {at[0]} of "
    with pytest.raises(InputError, match=f"{said}.*cut them out of the file$"):
        arrange_frames(Run(frames), LABELS, 0, Path("a.npy"))

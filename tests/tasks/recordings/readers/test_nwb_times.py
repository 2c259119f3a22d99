from pathlib import Path
from typing import Any

import made_recordings as made
import numpy as np
import pytest

from stages.core.settings.errors import InputError
from stages.tasks.recordings.readers import nwb

VALUES = np.random.default_rng(0).normal(size=(12, 3))


def test_a_rate_of_0_says_no_seconds(tmp_path: Path, h5py: Any) -> None:
    path = made.write_nwb(h5py, tmp_path / "a.nwb", VALUES)
    with h5py.File(path, "r+") as file:
        file["processing/ophys/Fluorescence/RoiResponseSeries/starting_time"].attrs["rate"] = 0.0
    assert nwb.read_run(path).frame_seconds is None


@pytest.mark.parametrize("count", [1, 3, 13])
def test_another_number_of_timestamps_than_of_frames_is_refused(
    count: int, tmp_path: Path, h5py: Any
) -> None:
    path = made.write_nwb(h5py, tmp_path / "a.nwb", VALUES)
    with h5py.File(path, "r+") as file:
        series = file["processing/ophys/Fluorescence/RoiResponseSeries"]
        del series["starting_time"]
        series["timestamps"] = 0.05 * np.arange(count)
    with pytest.raises(
        InputError, match=rf"a\.nwb: {count} timestamps and data of shape \(12, 3\), .*transpose"
    ):
        nwb.read_run(path)


RISING = np.arange(12) * 0.05


@pytest.mark.parametrize(
    ("times", "frame"),
    [
        (RISING[::-1], 0),
        (np.where(RISING[5] == RISING, np.nan, RISING), 4),
        (RISING[[0, 1, 2, 5, 4, 3, *range(6, 12)]], 3),
        (np.concatenate([RISING[:7], RISING[:5]]), 6),  # each trial from 0 on
        (np.repeat(RISING[:6], 2), 0),
        (np.where(RISING[11] == RISING, np.inf, RISING), 10),
    ],
)
def test_timestamps_that_do_not_rise_are_refused(times: Any, frame: int) -> None:
    with pytest.raises(InputError, match=f"^timestamp .* s of frame {frame}, .*; sort the frames, mend"):
        nwb.find_step(times, Path("a.nwb"))


@pytest.mark.parametrize(
    ("times", "said"),
    [
        (RISING, ""),
        (RISING + 0.01 * np.sin(np.arange(12)), ""),
        (RISING + 500 * (RISING > 0.32), "500.05 s from frame 6, counted from 0, to the next, 0.05 s as a"),
        (
            RISING + 0.05 * (RISING > 0.32),
            "0.1 s from frame 6, counted from 0, to the next, 0.05 s as a rule",
        ),
        (RISING + 7 * (RISING > 0.2) + 7 * (RISING > 0.4), " (2 of 11 steps are over 1.5 times as long)"),
    ],
)
def test_frames_far_from_the_next_are_said(times: Any, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert nwb.find_step(times, Path("a.nwb")) == pytest.approx(0.05, rel=0.3)
    out = capsys.readouterr().out
    assert said in out and bool(said) == bool(out)


def test_timestamps_are_read_as_numbers_with_a_sign(tmp_path: Path, h5py: Any) -> None:
    path = made.write_nwb(h5py, tmp_path / "a.nwb", VALUES)
    with h5py.File(path, "r+") as file:
        series = file["processing/ophys/Fluorescence/RoiResponseSeries"]
        del series["starting_time"]
        series["timestamps"] = np.arange(12, dtype=np.uint64)[::-1]
    with pytest.raises(InputError, match=r"a\.nwb: timestamp 11 s of frame 0, .* and 10 s of the next "):
        nwb.read_run(path)

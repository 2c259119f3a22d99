"""Runs and regions that have another's signals, as the stage `read` compares them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from own_recordings import RUNS, noise, refuse
from scipy.interpolate import CubicSpline
from scipy.signal import resample

from stages.tasks.recordings import read


def test_two_versions_of_a_run_are_known_by_their_signals(own: Path) -> None:
    np.save(own / "ann_clean.npy", 5 + 2 * np.load(own / "ann_2.npy") + 0.1 * noise(21, 3, seed=7))
    refuse(own, r"ann_clean\.npy: the signals of ann_2\.npy \(they correlate by \S+ in the median region\)")


@pytest.mark.parametrize(
    "copy", [lambda x: x.astype(np.float64), lambda x: 2 * x + 5, lambda x: (100 * x).astype(np.int32)]
)
def test_one_recording_under_two_people_is_refused_in_any_unit(copy: Any, own: Path) -> None:
    signals = noise(22, 3, seed=5).astype(np.float32)
    np.save(own / "ann_2.npy", signals)
    np.save(own / "bob_1.npy", copy(signals))
    refuse(own, r"bob_1\.npy: the signals of ann_2\.npy .* expected a recording of its own for each person")


def test_people_may_act_much_alike(own: Path) -> None:
    np.save(own / "bob_1.npy", np.load(own / "ann_2.npy") + 0.2 * noise(21, 3, seed=8))
    read.main(own.parent)


@pytest.mark.parametrize(
    "channel",
    [
        lambda frames: np.sin(frames / 9),
        lambda frames: (-1) ** len(frames) * (frames // 7 % 2),  # blocks, with another sign in each
        lambda frames: frames // 15 % 2 + 0.01 * noise(len(frames), seed=len(frames)),
    ],
)
def test_one_signal_of_a_region_in_two_people_is_refused(channel: Any, own: Path) -> None:
    for number, name in enumerate(RUNS):
        frames = np.arange(150 + number)
        # a drift of all is none
        values = noise(len(frames), 3, seed=number) + [0, 0, 1] * frames[:, None]
        values[:, 1] = channel(frames) if name != "ann_1" else values[:, 1]
        np.save(own / f"{name}.npy", values)
    refuse(own, r"bob_1\.npy: region b has the signal that it has in ann_2\.npy \(1 such pairs of runs\), ")


def test_few_spikes_of_a_region_may_fall_together(own: Path) -> None:
    for number, name in enumerate(RUNS):
        values = noise(150, 3, seed=number)
        values[:, 1] = np.isin(np.arange(150), (20, 50, 90))
        np.save(own / f"{name}.npy", values)
    read.main(own.parent)


def test_a_person_sampled_otherwise_is_said(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number, name in enumerate(RUNS):
        np.save(own / f"{name}.npy", noise(150, 3, seed=number))
    read.main(own.parent)
    assert "slower" not in capsys.readouterr().out
    at = np.arange(0, 149.1, 0.5)
    values = noise(150, 3, seed=2)
    linear = np.transpose([np.interp(at, np.arange(150), column) for column in values.T])
    for slower in (linear, CubicSpline(np.arange(150), values)(at * 1.3)[:220], resample(values, 300)):
        np.save(own / "bob_1.npy", slower)
        read.main(own.parent)
        assert "bob_1.npy: signals are slower than those of ann_" in capsys.readouterr().out

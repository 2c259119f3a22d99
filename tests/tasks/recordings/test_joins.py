from pathlib import Path

import numpy as np
import pytest

from stages.tasks.recordings.joins import say_join, say_wrapped

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


@pytest.mark.parametrize(
    ("scale", "kind", "bits"),
    [(6000, np.int16, 16), (20000, np.uint16, 16), (50, np.int8, 8), (4e8, np.int32, 32)],
)
def test_numbers_that_wrapped_round_are_said(
    scale: float, kind: type, bits: int, capsys: pytest.CaptureFixture[str]
) -> None:
    slow = np.apply_along_axis(np.convolve, 0, FRAMES, np.ones(9), "valid")
    for frames, told in ((scale * slow, True), (0.1 * scale * slow + 32768 * (kind == np.uint16), False)):
        for cast in (np.float32, np.float64) if bits < 32 else (np.float64,):
            say_wrapped(frames.astype(np.int64).astype(kind).astype(cast), list("abcdefghijkl"), PATH)
            out = capsys.readouterr().out
            assert bool(out) == told
            assert not told or f"regions do such), as whole numbers of {bits} bits do that wrapped" in out


def test_numbers_that_fill_their_kind_are_no_wrapped_ones(capsys: pytest.CaptureFixture[str]) -> None:
    for most in (127, 32767, 7):
        say_wrapped((FRAMES / np.abs(FRAMES).max() * most).round(), list("abcdefghijkl"), PATH)
    assert capsys.readouterr().out == ""

from pathlib import Path

import numpy as np
import pytest

from stages.core.settings.errors import InputError
from stages.tasks.recordings import neutral
from stages.tasks.recordings.copies import find_fits, refuse_copies, sketch
from stages.tasks.recordings.neutral import StoredRun

RANDOM = np.random.default_rng(0)
# each frame is like the last, and regions go together, as in a brain
ONE, OTHER, THIRD = (
    np.apply_along_axis(np.convolve, 0, RANDOM.normal(size=(300, 8)), [0.5, 1.0, 0.5], "valid")
    @ (RANDOM.normal(size=(8, 12)))
    for _ in range(3)
)
NOISE = RANDOM.normal(size=ONE.shape) * ONE.std(axis=0)


def smooth(frames: np.ndarray) -> np.ndarray:
    return np.asarray((frames[:-2] + frames[1:-1] + frames[2:]) / 3)


def check(folder: Path, people: str, *parts: np.ndarray) -> None:
    """Compare runs of those people, a letter each."""
    runs = []
    for number, (person, part) in enumerate(zip(people, parts, strict=True)):
        runs.append(StoredRun(person, "", f"runs/{number}.npy", f"{number}.npy", 1, "", len(part), None))
        neutral.write_run(folder, runs[-1], part)
    refuse_copies(runs, [sketch(part) for part in parts], folder)


@pytest.mark.parametrize(
    "copy",
    [
        ONE + 0.1 * NOISE,
        (7 - 3 * ONE).astype(np.float32),
        smooth(ONE),
        ONE[::2],
        ONE[1::3],
        ONE[::-1],
        np.concatenate([OTHER[150:], ONE[:150] + 0.05 * NOISE[:150]]),
        np.concatenate([OTHER[:200], ONE[200:] + 0.05 * NOISE[200:]]),
    ],
    ids=[
        "noisy",
        "negative",
        "smooth",
        "thinned",
        "by three",
        "backwards",
        "half, moved",
        "a third in place",
    ],
)
def test_one_recording_processed_otherwise_is_refused(copy: np.ndarray, tmp_path: Path) -> None:
    for people, expected in (("abc", "a recording of its own for each person"), ("aba", "another run of a")):
        with pytest.raises(InputError, match=rf"^2\.npy: .* those of 0\.npy .* expected {expected}; "):
            check(tmp_path, people, ONE, THIRD, copy)


@pytest.mark.parametrize("copy", [ONE / ONE.std() + OTHER / OTHER.std(), ONE + NOISE, ONE[::2] + NOISE[::2]])
def test_what_may_be_one_recording_is_said(
    copy: np.ndarray, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check(tmp_path, "abc", THIRD, ONE, copy)
    said = capsys.readouterr().out
    assert said.startswith("2.npy: its signals from frame 0 on go with those of 1.npy from frame 0 on")
    assert "such pairs: 1)" in said and said.count("\n") == 1


def test_people_of_their_own_are_neither(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # a stimulus of all explains a third of the signals
    stimulus = np.repeat(THIRD.mean(axis=1, keepdims=True), 12, axis=1) / THIRD.std()
    seen = [frames / frames.std() + stimulus for frames in (ONE, OTHER)]
    check(tmp_path, "abc", *seen, THIRD[:140])
    check(tmp_path, "abc", ONE, OTHER[:25], ONE[:22])  # too short to tell
    assert capsys.readouterr().out == ""


def test_frames_of_both_lie_on_each_other() -> None:
    (fit,) = find_fits([sketch(ONE[201::-2]), sketch(THIRD), sketch(ONE[10:])])
    places = dict(zip(fit.runs, fit.frames, strict=True))
    np.testing.assert_array_equal(ONE[201::-2][places[0]], ONE[10:][places[2]])

from pathlib import Path

import numpy as np
import pytest

from stages.core.settings.errors import InputError
from stages.tasks.recordings import neutral
from stages.tasks.recordings.neutral import StoredRun
from stages.tasks.recordings.overlaps import digest_steps, refuse_overlaps

ONE, OTHER = np.random.default_rng(0).normal(size=(2, 400, 12))
AMID = np.concatenate([OTHER[:100], ONE[200:260], OTHER[100:]])


def check(folder: Path, people: str, *parts: np.ndarray) -> None:
    """Compare runs of those people, a letter each."""
    runs = []
    for number, (person, part) in enumerate(zip(people, parts, strict=True)):
        stored = f"runs/{number}.npy"
        runs.append(StoredRun(person, "", stored, f"{number}.npy", 1, "", len(part), None))
        neutral.write_run(folder, runs[-1], part)
    refuse_overlaps(runs, [digest_steps(part) for part in parts], folder)


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        (ONE[:240], ONE[160:], "80 of its frames, from frame 0 on, .* of 0.npy from frame 160 on"),
        (ONE, ONE[5:], "395 of its frames, from frame 0 on, .* from frame 5 on"),
        (ONE[:390], ONE[10:], "380 of its frames, .* from frame 10 on"),
        (ONE[10:], ONE[:390], "380 of its frames, from frame 10 on, .* from frame 0 on"),
        (ONE, (5 + ONE[4:] * np.arange(1, 13)).astype(np.float32), "396 of its frames"),
        (ONE, AMID, "60 of its frames, from frame 100 on, .* from frame 200 on"),
    ],
)
def test_a_stretch_of_another_run_is_refused(
    first: np.ndarray, second: np.ndarray, said: str, tmp_path: Path
) -> None:
    for people, expected in (("ab", "a recording of its own for each person"), ("aa", "another run of a")):
        with pytest.raises(InputError, match=rf"^1\.npy: {said}.* expected {expected}; [^\n]*$"):
            check(tmp_path, people, first, second)


def test_halves_of_a_recording_share_nothing(tmp_path: Path) -> None:
    check(tmp_path, "aabc", ONE[:200], ONE[200:], OTHER, np.concatenate([ONE[:10], OTHER[::-1]]))


def test_frames_without_signals_are_no_shared_stretch(tmp_path: Path) -> None:
    still = np.zeros((60, 12))
    check(tmp_path, "ab", np.concatenate([ONE, still]), np.concatenate([still, OTHER]))
    spikes = np.where(np.random.default_rng(1).uniform(size=(2, 400, 12)) < 0.02, 1.0, 0.0)
    check(tmp_path, "ab", *spikes)


def test_steps_are_known_in_any_unit_of_any_region() -> None:
    known = digest_steps(ONE)
    assert len(set(known.tolist())) == len(known)
    np.testing.assert_array_equal(digest_steps(7 + ONE * np.arange(1, 13)), known)
    assert digest_steps(ONE[:5]).size == 0

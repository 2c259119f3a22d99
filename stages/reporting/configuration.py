"""What was run: scale, configuration under study, sizes beside the published ones."""

from dataclasses import asdict, replace
from typing import Any

import pandas as pd

from stages.parameters.params import Params
from stages.reporting.inputs import Inputs
from stages.reporting.parts import Column, Section, Table
from stages.reporting.prose import fill_in, write_section

PUBLISHED = "paper"  # the scale of the published size of puzzles, and of sizes that are ours
TRAINING = {"seeds": 0, "epochs": 0, "batch_size": 0, "learning_rate": 4}
MODEL = {"width": 0, "blocks": 0, "heads": 0}


def section(inputs: Inputs) -> Section:
    settings = inputs.settings
    numbers = [Column(name, name.replace("_", " "), digits) for name, digits in (TRAINING | MODEL).items()]
    columns = [Column("task", "task"), Column("scale", "scale"), *numbers, Column("data", "data")]
    focus = inputs.label(next(iter(settings.tasks)), "focus")
    beside = [f"{len(settings.configurations(task)) - 1} on {task}" for task in settings.tasks]
    texts = fill_in("setup", settings=settings, published=PUBLISHED, focus=focus, beside=beside)
    return write_section(texts, [Table("sizes", texts["caption"], list_sizes(settings), columns)])


def list_sizes(settings: Params) -> pd.DataFrame:
    """A row per task and scale: this one, and the published one if that is another."""
    scales = [scale for scale in dict.fromkeys([settings.scale, PUBLISHED]) if scale in settings.scales]
    return pd.DataFrame(
        {"task": task, "scale": scale} | sizes_of_task(replace(settings, scale=scale), task)
        for task in settings.tasks
        for scale in scales
    )[["task", "scale", *TRAINING, *MODEL, "data"]]


def sizes_of_task(settings: Params, task: str) -> dict[str, Any]:
    data = ", ".join(f"{value} {name.replace('_', ' ')}" for name, value in settings.sizes(task).data.items())
    return asdict(settings.model(task)) | asdict(settings.training(task)) | {"data": data}

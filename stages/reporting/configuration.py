"""What was run: scale, configuration under study, sizes beside the published ones."""

from dataclasses import asdict, replace
from typing import Any

import pandas as pd

from stages.parameters.params import Params
from stages.reporting.inputs import Inputs
from stages.reporting.numbers import listed
from stages.reporting.parts import Column, Section, Table

PUBLISHED = "paper"  # the scale of the published sizes
TRAINING = {"seeds": 0, "epochs": 0, "batch_size": 0, "learning_rate": 4}
MODEL = {"width": 0, "blocks": 0, "heads": 0}
CAPTION = "Sizes and durations, a row per task and scale; seeds are replicates trained side by side."


def section(inputs: Inputs) -> Section:
    numbers = [Column(name, name.replace("_", " "), digits) for name, digits in (TRAINING | MODEL).items()]
    columns = [Column("task", "task"), Column("scale", "scale"), *numbers, Column("data", "data")]
    return Section(
        key="setup",
        title="What was run",
        question="Which settings made these results, and how far are they from the published ones?",
        paragraphs=[describe_scale(inputs.settings), describe_focus(inputs)],
        tables=[Table("sizes", CAPTION, list_sizes(inputs.settings), columns)],
    )


def describe_scale(settings: Params) -> str:
    if PUBLISHED not in settings.scales or settings.scale == PUBLISHED:
        return f"Scale: {settings.scale}, root seed {settings.seed}."
    return (
        f"Scale {settings.scale} is not the published size: compare the rows of each task below. What does "
        f"not reproduce here may reproduce there, and the other way round. Root seed {settings.seed}."
    )


def describe_focus(inputs: Inputs) -> str:
    """The configuration under study, and how many stand beside it."""
    settings = inputs.settings
    written = ", ".join(f"{key}: {value}" for key, value in settings.pe.items() if value is not None)
    beside = [f"{len(settings.configurations(task)) - 1} on {task}" for task in settings.tasks]
    return (
        f"The configuration under study is {inputs.label(next(iter(settings.tasks)), 'focus')}, given as "
        f"{written}. Reference configurations beside it: {listed(beside)}."
    )


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

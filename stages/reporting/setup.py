"""What was run: scale, configuration under study, sizes beside the published ones."""

from dataclasses import asdict, replace
from typing import Any

import pandas as pd

from stages.parameters.params import Params
from stages.reporting.inputs import Inputs, called
from stages.reporting.numbers import listed
from stages.reporting.section import Column, Section, Table

PUBLISHED = "paper"  # the scale of the published sizes
TRAINING = {"seeds": 0, "epochs": 0, "batch_size": 0, "learning_rate": 4}
MODEL = {"width": 0, "blocks": 0, "heads": 0}


def section(inputs: Inputs) -> Section:
    columns = [Column("task", "task"), Column("scale", "scale")]
    columns += [Column(name, name.replace("_", " "), digits) for name, digits in (TRAINING | MODEL).items()]
    columns += [Column("data", "data")]
    caption = "Sizes and durations, a row per task and scale; seeds are replicates trained side by side."
    return Section(
        key="setup",
        title="What was run",
        question="Which settings made these results, and how far are they from the published ones?",
        paragraphs=[scale_in_words(inputs), focus_in_words(inputs)],
        tables=[Table("sizes", caption, sizes(inputs), columns)],
    )


def scale_in_words(inputs: Inputs) -> str:
    """Whether the chosen scale is the published one, and what of the grid's sizes differs if not."""
    settings = inputs.settings
    if PUBLISHED not in settings.scales or settings.scale == PUBLISHED:
        return f"Scale: {settings.scale}, root seed {settings.seed}."
    here, there = flat(settings, "grid"), flat(replace(settings, scale=PUBLISHED), "grid")
    differs = [
        f"{name.replace('_', ' ')} {here[name]:g} of {there[name]:g}"
        for name in ("epochs", "seeds", "width", "blocks", "puzzles_per_complexity")
        if here[name] != there[name]
    ]
    return (
        f"Scale {settings.scale} is not the published size: of the grid, {listed(differs)}. "
        "What does not reproduce here may reproduce there, and the other way round. "
        f"Root seed {settings.seed}."
    )


def focus_in_words(inputs: Inputs) -> str:
    """The configuration under study, and how many stand beside it."""
    given = ", ".join(f"{key}: {value}" for key, value in inputs.settings.pe.items() if value is not None)
    beside = [f"{len(inputs.settings.configurations(task)) - 1} on {task}" for task in inputs.settings.tasks]
    return (
        f"The configuration under study is {called(inputs, 'grid', 'focus')}, given as {given}. "
        f"Reference configurations beside it: {listed(beside)}."
    )


def sizes(inputs: Inputs) -> pd.DataFrame:
    """A row per task and scale: this one, and the published one if that is another."""
    settings = inputs.settings
    scales = [scale for scale in dict.fromkeys([settings.scale, PUBLISHED]) if scale in settings.scales]
    return pd.DataFrame(
        {"task": task, "scale": scale}
        | flat(replace(settings, scale=scale), task)
        | {"data": in_words(replace(settings, scale=scale).data_values(task))}
        for task in settings.tasks
        for scale in scales
    )[["task", "scale", *TRAINING, *MODEL, "data"]]


def flat(settings: Params, task: str) -> dict[str, Any]:
    """Sizes of data, model and training, by name."""
    return settings.data_values(task) | asdict(settings.model(task)) | asdict(settings.training(task))


def in_words(values: dict[str, Any]) -> str:
    return ", ".join(f"{value} {name.replace('_', ' ')}" for name, value in values.items())

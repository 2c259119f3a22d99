"""Say how each task trains, on how much and with which model, at every scale that studies use."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

from stages.parameters.params import Params
from stages.studies.schema import Study
from stages.tasks.facts import find_facts

LOSSES = {"mse": "mean squared error of hidden tokens"}  # by the task's metric
OTHER_LOSS = "cross-entropy"


def list_sizes(studies: Sequence[Study], settings: Params) -> Iterator[dict[str, Any]]:
    """Yield a row for each scale and task of a study: its loss, its training, its model, and `data`."""
    for scale, task in dict.fromkeys(
        (study.scale or settings.scale, task) for study in studies for task in study.tasks
    ):
        at_scale = replace(settings, scale=scale)
        yield {
            "scale": scale,
            "task": task,
            "loss": LOSSES.get(find_facts(task).score.metric, OTHER_LOSS),
            "data": at_scale.sizes(task).data,
            **asdict(at_scale.training(task)),
            **asdict(at_scale.model(task)),
        }

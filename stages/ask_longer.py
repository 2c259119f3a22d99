"""Trained models asked about longer sequences than they were trained on: reports/tables/longer.csv."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from torch import Tensor

from stages.files import artifacts
from stages.interventions.longer import lend_weights
from stages.interventions.restore import finite, restore_cells
from stages.model.transformer import Transformer
from stages.parameters import params
from stages.parameters.params import Params
from stages.randomness.streams import Replicates
from stages.running.command import run
from stages.tasks.bases.labels import RandomWords, token_hits
from stages.tasks.facts import find_facts
from stages.tasks.interface import load_task
from stages.training.assemble import assemble, host_for

TABLE = Path("reports/tables/longer.csv")
TIMES = 2  # as many tokens as in training
COLUMNS = ["task", "encoding", "seed", "tokens", "metric", "value", "refused"]

Row = tuple[str, str, int | None, int, str, float, str]


def lengthen(settings: Params, task: str) -> Params:
    """The same settings with TIMES as many tokens of the task."""
    sizes = settings.sizes(task)
    data = sizes.data | {"tokens": TIMES * sizes.data["tokens"]}
    scale = settings.scales[settings.scale] | {task: replace(sizes, data=data)}
    return replace(settings, scales=settings.scales | {settings.scale: scale})


def ask(settings: Params, root: Path, name: str, where: torch.device) -> Iterator[Row]:
    """Accuracy of every configuration at the places of training, and beyond them where there are labels.

    A configuration that cannot be asked has one row, with the reason.
    """
    task = load_task(name, settings, {}, where)
    longer = load_task(name, lengthen(settings, name), {}, where)
    assert isinstance(task, RandomWords) and isinstance(longer, RandomWords)
    longer.n_outputs = task.n_outputs  # no more labels than were trained
    n, sizes = task.positions.n_tokens, settings.model(name)
    replicates = Replicates(settings.seed, name, range(settings.training(name).seeds))
    for encoding, trained in restore_cells(settings, root, name, task, where):
        configuration = settings.configuration(name, encoding)
        host = host_for(longer, configuration, sizes, replicates)
        try:
            model = assemble(longer, configuration, sizes, replicates).to(where).requires_grad_(False)
            lend_weights(trained, model, len(host_for(task, configuration, sizes, replicates).indices), host)
        except ValueError as reason:
            yield name, encoding, None, TIMES * n, "", np.nan, str(reason)
            continue
        right = hits(model, longer)
        for metric, places in (("accuracy_within", slice(n)), ("accuracy_beyond", slice(n, None))):
            if metric == "accuracy_within" or name == "even_tokens":
                for seed, value in enumerate(right[:, places].mean(dim=1).tolist()):
                    yield name, encoding, seed, TIMES * n, metric, value, ""


@torch.no_grad()
def hits(model: Transformer, task: RandomWords) -> Tensor:
    """Share of the task's sequences whose token at each place is labelled right, [R, n]; NaN if diverged."""
    (batch,) = task.evaluation(task.splits[-1], task.sizes.test_sequences)
    outputs = model(batch.inputs.expand(len(model.readout.weight), *batch.inputs.shape[1:]))
    right = token_hits(outputs, batch.targets).mean(dim=1)
    return right.masked_fill(~torch.from_numpy(finite(model))[:, None].to(right.device), torch.nan)


def main(root: Path = Path()) -> None:
    settings = params.load(root / params.FILE)
    names = [name for name in settings.tasks if find_facts(name).in_line]
    rows = [row for name in names for row in ask(settings, root, name, torch.device("cpu"))]
    artifacts.write_csv(root / TABLE, pd.DataFrame(rows, columns=COLUMNS))


if __name__ == "__main__":
    run(main)

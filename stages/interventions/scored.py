"""Scores of a restored model on some examples, with its own tables or others in their place."""

import numpy as np
import torch
from numpy.typing import NDArray

from stages.interventions.restore import finite
from stages.interventions.tables import Tables
from stages.model.transformer import Transformer
from stages.tasks.interface import Batch, Task


def examples(task: Task, split: str, most: int) -> Batch:
    """At most that many examples of the split, evenly spaced, as one batch."""
    whole = next(task.evaluation(split, 10**9))
    n = whole.inputs.shape[1]
    rows = torch.arange(min(n, most)) * n // min(n, most)
    hidden = None if whole.hidden is None else whole.hidden[:, rows]
    return Batch(whole.inputs[:, rows], whole.targets[:, rows], hidden)


def with_tables(model: Transformer, task: Task, batch: Batch, tables: Tables) -> NDArray[np.float64]:
    """Mean score [R] of the model of a learned table, the given tables [R, tables, n, d] in its place."""
    own = model.get_parameter("encoding.tables")
    kept = own.clone()
    own.copy_(torch.tensor(tables.astype(np.float32)))
    try:
        return score(model, task, batch)
    finally:
        own.copy_(kept)


def score(model: Transformer, task: Task, batch: Batch) -> NDArray[np.float64]:
    """Mean score [R] over the batch's examples; NaN of a replica that diverged."""
    return np.asarray(each(model, task, batch).mean(axis=1))


@torch.no_grad()
def each(model: Transformer, task: Task, batch: Batch) -> NDArray[np.float64]:
    """Score [R, B] of every example; NaN of a replica that diverged."""
    outputs = model(batch.inputs.expand(len(model.readout.weight), *batch.inputs.shape[1:]))
    scores = task.score(outputs, batch).double().cpu().numpy()
    return np.where(finite(model)[:, None], scores, np.nan)

"""Score a restored model on a sample of examples, with its own or other tables."""

import numpy as np
import torch
from numpy.typing import NDArray

from stages.interventions.restore import finite
from stages.interventions.tables import Tables
from stages.model.transformer import Transformer
from stages.tasks.interface import Batch, Task


def sample_examples(task: Task, split: str, most: int) -> Batch:
    """At most `most` evenly spaced examples of the split, as one batch."""
    whole = next(task.evaluation(split, 10**9))
    n = whole.inputs.shape[1]
    rows = torch.arange(min(n, most)) * n // min(n, most)
    hidden = None if whole.hidden is None else whole.hidden[:, rows]
    return Batch(whole.inputs[:, rows], whole.targets[:, rows], hidden)


def score_with_tables(model: Transformer, task: Task, batch: Batch, tables: Tables) -> NDArray[np.float64]:
    """Mean score [R] of a model with learned tables, with `tables` [R, n_tables, n, d] in their place."""
    parameter = model.get_parameter("encoding.tables")
    original = parameter.clone()
    parameter.copy_(torch.tensor(tables.astype(np.float32)))
    try:
        return score(model, task, batch)
    finally:
        parameter.copy_(original)


def score(model: Transformer, task: Task, batch: Batch) -> NDArray[np.float64]:
    """Mean score [R] over the batch's examples; NaN for a diverged replica."""
    return np.asarray(score_each(model, task, batch).mean(axis=1))


@torch.no_grad()
def score_each(model: Transformer, task: Task, batch: Batch) -> NDArray[np.float64]:
    """Score [R, B] of every example; NaN for a diverged replica."""
    outputs = model(batch.inputs.expand(len(model.readout.weight), *batch.inputs.shape[1:]))
    scores = task.score(outputs, batch).double().cpu().numpy()
    return np.where(finite(model)[:, None], scores, np.nan)

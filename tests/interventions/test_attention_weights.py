import numpy as np
import pytest
import torch
from random_tasks import masked, puzzles
from trained_cells import REPLICATES, SIZES

from stages.interventions import attention_weights
from stages.model.attention import Attention
from stages.parameters.params import Architecture, Configuration
from stages.tasks.interface import Task
from stages.training.assemble import assemble
from stages.training.predict import predictions

CLS = Configuration("one", "learned", {"init_std": 1.0}, Architecture(markers="cls"))


def test_weights_are_softmax_of_the_first_block_s_products() -> None:
    task = puzzles()
    model = assemble(task, Configuration("one", "learned", {"init_std": 1.0}), SIZES, REPLICATES)
    first, last = attention_weights.record_all(model, task, "test")
    assert first.shape == (2, 40, 2, 16, 16) and last.shape == (2, 40, 2, 1, 16)
    table, layer = model.encoding.table(0), model.blocks[0].attention
    assert table is not None and isinstance(layer, Attention) and isinstance(layer.key_value, torch.Tensor)
    x = model.embedding(task.puzzles["test"].expand(2, -1, -1)) + table[:, None]
    q = layer.query(x.flatten(1, 2)).view(2, 40, 16, 2, 4)
    k = (x.flatten(1, 2) @ layer.key_value[..., :8]).view(2, 40, 16, 2, 4)
    expected = torch.softmax(torch.einsum("rbihd,rbjhd->rbhij", q, k) / 2, dim=-1)
    np.testing.assert_allclose(first, expected.detach().numpy(), atol=1e-6)


@pytest.mark.parametrize("scheme", ["urpe", "alibi", "shaw", "cope"])
def test_watching_changes_nothing(scheme: str) -> None:
    task = masked()
    model = assemble(task, Configuration("one", scheme, {}), SIZES, REPLICATES)
    before = predictions(model, task, "test")
    with attention_weights.watch(model, 6, lambda block, weights: None):
        np.testing.assert_array_equal(predictions(model, task, "test"), before)
    assert "weights" not in vars(model.encoding)


@pytest.mark.parametrize("task", [masked(), puzzles()])
def test_means_are_over_examples_and_without_markers(task: Task) -> None:
    model = assemble(task, CLS, SIZES, REPLICATES)
    n, read = task.positions.n_tokens, len(range(task.positions.n_tokens)[task.read])
    weights = attention_weights.record_all(model, task, "test")
    means = attention_weights.record_mean(model, task, "test")
    assert [mean.shape for mean in means] == [(2, 2, n, n), (2, 2, read, n)]
    for block, mean in zip(weights, means, strict=True):
        np.testing.assert_allclose(mean, block.mean(axis=1), atol=1e-6)
    assert means[0].sum(axis=-1).max() < 1  # the marker gets some attention

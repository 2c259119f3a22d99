import numpy as np
import pytest
import torch
from random_tasks import masked, puzzles
from small_models import SIZES

from stages.core.model.attention import Attention
from stages.core.randomness.streams import Replicates
from stages.core.settings.configuration import Architecture, Configuration
from stages.training import attention_weights
from stages.training.assemble import assemble
from stages.training.predict import predictions

REPLICATES = Replicates(0, "made up", range(2))
CLS = Configuration("one", "learned", {"init_std": 1.0}, Architecture(markers="cls"))


def test_means_are_over_the_softmax_of_the_first_block_s_products() -> None:
    task = puzzles()
    model = assemble(task, Configuration("one", "learned", {"init_std": 1.0}), SIZES, REPLICATES)
    first, last = attention_weights.record_mean(model, task, "test")
    assert first.shape == (2, 2, 16, 16) and last.shape == (2, 2, 1, 16)
    table, layer = model.encoding.table(0), model.blocks[0].attention
    assert table is not None and isinstance(layer, Attention) and isinstance(layer.key_value, torch.Tensor)
    x = model.embedding(task.puzzles["test"].expand(2, -1, -1)) + table[:, None]
    q = layer.query(x.flatten(1, 2)).view(2, 40, 16, 2, 8)
    k = (x.flatten(1, 2) @ layer.key_value[..., :16]).view(2, 40, 16, 2, 8)
    expected = torch.softmax(torch.einsum("rbihd,rbjhd->rbhij", q, k) / 8**0.5, dim=-1).mean(1)
    np.testing.assert_allclose(first, expected.detach().numpy(), atol=1e-6)


@pytest.mark.parametrize("scheme", ["urpe", "alibi", "shaw", "cope"])
def test_watching_changes_nothing(scheme: str) -> None:
    task = masked()
    model = assemble(task, Configuration("one", scheme, {}), SIZES, REPLICATES)
    before = predictions(model, task, "test")
    with attention_weights.watch(model, 6, lambda block, weights: None):
        np.testing.assert_array_equal(predictions(model, task, "test"), before)
    assert "weights" not in vars(model.encoding)


def test_markers_are_left_out() -> None:
    task = masked()
    means = attention_weights.record_mean(assemble(task, CLS, SIZES, REPLICATES), task, "test")
    assert [mean.shape for mean in means] == [(2, 2, 6, 6)] * 2
    assert all(mean.sum(axis=-1).max() < 1 for mean in means)  # the marker gets some attention

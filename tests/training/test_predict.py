import numpy as np
import pytest
import torch

from stages.parameters.params import Configuration
from stages.parameters.scales import Model
from stages.positions.positions import Positions
from stages.randomness.masks import draw_masks
from stages.randomness.streams import Replicates
from stages.tasks.bases.masked import MaskedRegression
from stages.training import predict
from stages.training.assemble import assemble


def test_smaller_batches_for_many_tokens_give_the_same_predictions(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = np.random.default_rng(0)
    frames = {"train": torch.from_numpy(numbers.normal(size=(50, 6))).float()}
    masks = {"train": torch.from_numpy(draw_masks(50, 6, 0.5, numbers))}
    task = MaskedRegression(frames, masks, 0.5, Positions(6), np.arange(50))
    model = assemble(
        task, Configuration("pe", "learned", {}), Model(8, 1, 1, 2), Replicates(0, "t", range(2))
    )
    batches: list[int] = []
    model.register_forward_hook(lambda model, inputs, outputs: batches.append(inputs[0].shape[1]))
    at_once = predict.predictions(model, task, "train")
    monkeypatch.setattr(predict, "ATTENTION_BYTES", 20 * 4 * 2 * 6 * 6)
    in_parts = predict.predictions(model, task, "train")
    assert batches == [50, 20, 20, 10]
    np.testing.assert_allclose(in_parts, at_once, atol=1e-5)

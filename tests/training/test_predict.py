import numpy as np
import pytest
from random_tasks import masked
from small_models import build

from stages.training import predict


def test_smaller_batches_for_many_tokens_give_the_same_predictions(monkeypatch: pytest.MonkeyPatch) -> None:
    task = masked(50)
    model, _ = build(task, range(2))
    batches: list[int] = []
    model.register_forward_hook(lambda model, inputs, outputs: batches.append(inputs[0].shape[1]))
    at_once = predict.predictions(model, task, "train")
    monkeypatch.setattr(predict, "ATTENTION_BYTES", 20 * 4 * 2 * 6 * 6)
    in_parts = predict.predictions(model, task, "train")
    assert batches == [50, 20, 20, 10]
    np.testing.assert_allclose(in_parts, at_once, atol=1e-5)

import pytest
import torch
from random_tasks import puzzles
from small_models import build

from stages.training import memory
from stages.training.forward import Forward

TASK = puzzles(64)


def measure(batch_size: int, replicas: int = 5) -> int:
    model, replicates = build(TASK, range(replicas))
    return memory.measure_saved_bytes(Forward(model), TASK, next(TASK.epoch(replicates, 1, batch_size)))


def test_measured_bytes_grow_with_the_batch_and_are_those_of_one_replica() -> None:
    hidden_layer = 32 * 16 * 32 * 4  # bytes of one block's widened activations, of many that are kept
    assert measure(64) - measure(32) > hidden_layer
    assert measure(64) < 2.1 * measure(32)
    assert measure(32, replicas=50) == measure(32)


@pytest.mark.parametrize(("factor", "expected"), [(0.1, 1), (3.5, 3), (100, 5)])
def test_as_many_replicas_as_fit(factor: float, expected: int, monkeypatch: pytest.MonkeyPatch) -> None:
    model, replicates = build(TASK, range(5))
    needed = memory.TRANSIENT * measure(32) / memory.SHARE
    monkeypatch.setattr(memory, "free_bytes", lambda device: int(factor * needed))
    assert memory.replicas_at_once(Forward(model), TASK, next(TASK.epoch(replicates, 1, 32))) == expected


def test_there_is_free_memory() -> None:
    assert 1e7 < memory.free_bytes(torch.device("cpu")) < 1e14


@pytest.mark.parametrize(
    "error", [torch.OutOfMemoryError(), RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate")]
)
def test_memory_that_runs_out_for_one_replica_is_said_in_a_line(error: RuntimeError) -> None:
    batch = next(TASK.epoch(build(TASK, [0])[1], 1, 32))
    with (
        pytest.raises(ValueError, match="one replica's batch of 32 does not fit"),
        memory.explain_out_of_memory(batch),
    ):
        raise error
    with pytest.raises(RuntimeError, match="shapes"), memory.explain_out_of_memory(batch):
        raise RuntimeError("shapes")

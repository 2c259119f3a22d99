import pytest
import torch

from stages.parameters.params import Configuration
from stages.parameters.scales import Model
from stages.randomness.streams import Replicates
from stages.tasks.grid.task import Grid
from stages.training import memory
from stages.training.assemble import assemble
from stages.training.forward import eager

TASK = Grid({"train": torch.zeros(64, 16, dtype=torch.long)}, {"train": torch.zeros(64, dtype=torch.long)}, 4)
REPLICATES = Replicates(0, "grid", range(5))
FORWARD = eager(assemble(TASK, Configuration("pe", "learned", {}), Model(16, 2, 1, 4), REPLICATES))


def measure(batch_size: int) -> int:
    return memory.measure_saved_bytes(FORWARD, TASK, next(TASK.epoch(REPLICATES, 1, batch_size)))


def test_measured_bytes_grow_with_the_batch() -> None:
    hidden_layer = 32 * 16 * 64 * 4  # bytes of one block's widened activations, of many that are kept
    assert measure(64) - measure(32) > hidden_layer
    assert measure(64) < 2.1 * measure(32)


@pytest.mark.parametrize(("factor", "expected"), [(0.1, 1), (3.5, 3), (100, 5)])
def test_as_many_replicas_as_fit(factor: float, expected: int, monkeypatch: pytest.MonkeyPatch) -> None:
    needed = memory.TRANSIENT * measure(32) / memory.SHARE
    monkeypatch.setattr(memory, "free_bytes", lambda device: int(factor * needed))
    assert memory.replicas_at_once(FORWARD, TASK, next(TASK.epoch(REPLICATES, 1, 32))) == expected


def test_there_is_free_memory() -> None:
    assert 1e7 < memory.free_bytes(torch.device("cpu")) < 1e14


@pytest.mark.parametrize(
    "error", [torch.OutOfMemoryError(), RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate")]
)
def test_memory_that_runs_out_for_one_replica_is_said_in_a_line(error: RuntimeError) -> None:
    batch = next(TASK.epoch(REPLICATES, 1, 32))
    with (
        pytest.raises(ValueError, match="one replica's batch of 32 does not fit"),
        memory.explain_out_of_memory(batch),
    ):
        raise error
    with pytest.raises(RuntimeError, match="shapes"), memory.explain_out_of_memory(batch):
        raise RuntimeError("shapes")


def test_parameters_of_other_replicas_are_not_counted() -> None:
    stacked = Replicates(0, "grid", range(50))
    model = assemble(TASK, Configuration("pe", "learned", {}), Model(16, 2, 1, 4), stacked)
    assert memory.measure_saved_bytes(eager(model), TASK, next(TASK.epoch(stacked, 1, 32))) == measure(32)

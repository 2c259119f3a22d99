import gc
import math
import weakref
from pathlib import Path

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


def test_what_is_measured_is_freed() -> None:
    model, replicates = build(TASK, range(2))
    left = [weakref.ref(parameter) for parameter in model.parameters()]
    memory.measure_saved_bytes(Forward(model), TASK, next(TASK.epoch(replicates, 1, 32)))
    del model
    gc.collect()
    assert left and not any(one() is not None for one in left)


@pytest.mark.parametrize(("factor", "expected"), [(0.1, 1), (3.5, 3), (100, 5)])
def test_as_many_replicas_as_fit(
    factor: float, expected: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    model, replicates = build(TASK, range(5))
    needed = memory.TRANSIENT * measure(32) / memory.SHARE
    monkeypatch.setattr(memory, "free_bytes", lambda device: int(factor * needed))
    assert memory.replicas_at_once(Forward(model), TASK, next(TASK.epoch(replicates, 1, 32))) == expected
    said = f"note: memory is short: {expected} of 5 replicas at once\n"
    assert capsys.readouterr().out == (said if expected < 5 else "")


def write_group(folder: Path, files: dict[str, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(f"{text}\n")


def test_what_cgroups_leave_is_the_least_of_a_group_and_those_above(tmp_path: Path) -> None:
    assert memory.free_in_cgroups_bytes(tmp_path) == math.inf
    write_group(tmp_path / "proc/self", {"cgroup": "3:cpu:/elsewhere\n0::/job/step"})
    assert memory.free_in_cgroups_bytes(tmp_path) == math.inf
    groups = tmp_path / "sys/fs/cgroup"
    usage = {"memory.current": "300", "memory.stat": "anon 200\ninactive_file 50"}
    write_group(groups / "job/step", {"memory.max": "max"} | usage)
    assert memory.free_in_cgroups_bytes(tmp_path) == math.inf
    write_group(groups / "job", {"memory.max": "1000"} | usage)
    assert memory.free_in_cgroups_bytes(tmp_path) == 1000 - 300 + 50
    write_group(groups / "job/step", {"memory.max": "700"})
    assert memory.free_in_cgroups_bytes(tmp_path) == 700 - 300 + 50


def test_a_container_sees_its_own_cgroup_of_version_1_as_the_top(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_group(tmp_path / "proc/self", {"cgroup": "4:memory:/docker/0123\n0::/"})
    usage = {"memory.usage_in_bytes": "300", "memory.stat": "inactive_file 1\ntotal_inactive_file 50"}
    write_group(tmp_path / "sys/fs/cgroup/memory", {"memory.limit_in_bytes": "1000"} | usage)
    assert memory.free_in_cgroups_bytes(tmp_path) == 750
    assert 1e7 < memory.free_bytes(torch.device("cpu")) < 1e14
    monkeypatch.setattr(memory, "free_in_cgroups_bytes", lambda: 750.0)
    assert memory.free_bytes(torch.device("cpu")) == 750


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

"""Number formats, compiled kernels and parts of a stack: what they change, and what they leave as it is."""

import subprocess
import sys
from dataclasses import replace
from os import environ
from pathlib import Path
from shutil import which
from typing import Literal

import pytest
import torch
from random_tasks import masked, puzzles
from small_models import SIZES, adamw, build
from torch import Tensor

from stages.core.randomness.streams import Replicates
from stages.core.settings.configuration import Architecture, Configuration
from stages.core.settings.kinds import Format
from stages.core.settings.sizes import Model
from stages.tasks.interface import Task
from stages.training import device
from stages.training.assemble import assemble
from stages.training.fit import step
from stages.training.forward import Forward, compile_forward

SHALLOW = replace(SIZES, blocks=1)  # as compiling a block takes many seconds


def losses(
    task: Task,
    replicas: int,
    at_once: int,
    precision: Format = "fp32",
    sizes: Model = SIZES,
    compiled: bool = False,
) -> Tensor:
    """Compute the losses of 25 epochs of two batches each [50, R]."""
    model, replicates = build(task, range(replicas), sizes)
    batches = [batch for epoch in range(1, 26) for batch in task.epoch(replicates, epoch, task.n_train // 2)]
    forward = Forward(model, precision)
    if compiled:
        forward = compile_forward(forward, batches[0].inputs, batches[0].asked, Path("kernels"))
        assert forward.compiled is not None
    optimiser = adamw(model, 0.001)
    return torch.stack([step(forward, task, batch, optimiser, at_once) for batch in batches])


@pytest.mark.parametrize("task", [masked(64), puzzles(64)])
@pytest.mark.parametrize("at_once", [3, 2])
def test_half_the_bits_give_the_same_losses_within_half_a_percent(task: Task, at_once: int) -> None:
    exact, rounded = losses(task, 3, at_once), losses(task, 3, at_once, "bf16")
    assert exact.shape == (50, 3) and not torch.equal(exact, rounded)
    torch.testing.assert_close(rounded, exact, rtol=0.005, atol=0)  # measured: 0.0015 at most


@pytest.mark.skipif(not which(environ.get("CXX", "g++")), reason="no C++ compiler")
@pytest.mark.parametrize(
    ("precision", "tolerance"), [("fp32", 1e-5), pytest.param("bf16", 0.005, marks=pytest.mark.thorough)]
)
def test_compiled_losses_are_the_model_s_and_the_same_bytes_each_time(
    precision: Format, tolerance: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", "elsewhere")  # left by another compiler of this process
    monkeypatch.setenv("TORCHINDUCTOR_COMPILE_THREADS", "1")  # others are processes that load torch
    monkeypatch.chdir(tmp_path)
    device.choose_device("cpu")
    first, second = (losses(puzzles(32), 2, 2, precision, SHALLOW, compiled=True) for _ in range(2))
    torch.testing.assert_close(first, losses(puzzles(32), 2, 2, sizes=SHALLOW), rtol=tolerance, atol=0)
    assert torch.equal(first, second)
    assert any((tmp_path / "kernels" / device.digest_processor()).rglob("*.so"))


COMPILED = """
import sys
from pathlib import Path
import torch
from random_tasks import masked
from small_models import SIZES, build
from stages.training.forward import Forward, compile_forward
torch.set_num_threads(1)
task = masked(64)
model, replicates = build(task, range(2), SIZES)
batch = next(task.epoch(replicates, 1, 64))
plain = Forward(model)
fused = compile_forward(plain, batch.inputs, batch.asked, Path(sys.argv[1]))
assert fused.compiled is not None
losses = (each(batch.inputs, batch.asked).square().sum() for each in (plain, fused))
for one in zip(*(torch.autograd.grad(loss, [*model.parameters()]) for loss in losses)):
    torch.testing.assert_close(*one, rtol=1e-4, atol=1e-5)
"""


@pytest.mark.thorough
@pytest.mark.skipif(not which(environ.get("CXX", "g++")), reason="no C++ compiler")
def test_kernels_kept_by_another_kind_of_processor_change_nothing(tmp_path: Path) -> None:
    """Compile with few vector instructions after many, in one folder, and the other way round."""
    for limits in ({}, {"ATEN_CPU_CAPABILITY": "avx2"}, {"ATEN_CPU_CAPABILITY": "default"}, {}):
        path = environ | {"PYTHONPATH": ":".join(sys.path)} | limits
        subprocess.run([sys.executable, "-c", COMPILED, str(tmp_path)], env=path, check=True)


def test_a_compiler_that_fails_or_is_missing_is_done_without(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def fail(inputs: Tensor, asked: None) -> Tensor:
        raise RuntimeError("No working C++ compiler found\nand so on")

    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", "")  # undone at the end
    monkeypatch.setattr(torch, "compile", lambda model, **options: fail)
    forward = Forward(build(puzzles(), range(2))[0])
    assert compile_forward(forward, torch.zeros(2, 4, 16, dtype=torch.long), None, tmp_path) is forward
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("note: compile: No working C++ compiler found; continuing without, slower")


@torch.no_grad()
@pytest.mark.parametrize("block", ["post_norm", "gau"])
@pytest.mark.parametrize("scheme", ["none", "rope", "learned"])
@pytest.mark.parametrize(
    ("task", "given"), [(masked(), torch.zeros(2, 3, 6, 2)), (puzzles(), torch.zeros(2, 3, 16).long())]
)
def test_with_bf16_too_every_block_is_given_float32_and_gives_it(
    task: Task, given: Tensor, scheme: str, block: Literal["post_norm", "gau"]
) -> None:
    configuration = Configuration("pe", scheme, {}, Architecture(block=block))
    model = assemble(task, configuration, SIZES, Replicates(0, "test", range(2)))
    formats: list[torch.dtype] = []
    for each in model.blocks:
        each.register_forward_hook(lambda _, entered, left: formats.extend((entered[0].dtype, left.dtype)))
    Forward(model, "bf16")(given)
    assert formats == [torch.float32] * 4


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_outputs_and_gradients_are_float32(precision: Format) -> None:
    model, _ = build(puzzles(8), range(3))
    forward, inputs = Forward(model, precision), torch.randint(0, 6, (3, 8, 16))
    whole, part = forward(inputs), forward(inputs[1:], None, slice(1, 3))
    assert whole.dtype == part.dtype == torch.float32
    torch.testing.assert_close(part, whole[1:], rtol=1e-5, atol=1e-5 if precision == "fp32" else 0.01)
    whole.sum().backward()  # type: ignore[no-untyped-call]
    assert all(p.grad is not None and p.grad.dtype == torch.float32 for p in model.parameters())

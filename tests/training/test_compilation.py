"""Fused kernels compute what the model computes; where they cannot be had, training goes on without."""

import pytest
import torch
from random_tasks import puzzles
from torch import Tensor

from stages.parameters.params import Configuration
from stages.parameters.scales import Model
from stages.randomness.streams import Replicates
from stages.training import device
from stages.training.assemble import assemble
from stages.training.compilation import compile_forward, missing_tool
from stages.training.fit import step
from stages.training.forward import Forward, eager
from stages.training.optimisers import Flat, Group

TASK = puzzles(32)
REPLICATES = Replicates(0, "test", range(2))
INPUTS = next(TASK.epoch(REPLICATES, 1, 16)).inputs


def made() -> Forward:
    sizes = Model(width=16, blocks=2, heads=2, expansion=2)
    return eager(assemble(TASK, Configuration("pe", "learned", {}), sizes, REPLICATES))


def losses(forward: Forward) -> Tensor:
    """Of 50 steps, [50, R]."""
    optimiser = Flat("adamw", Group(forward.model.parameters(), 0.001, 0))
    batches = [batch for epoch in range(1, 26) for batch in TASK.epoch(REPLICATES, epoch, 16)]
    return torch.stack([step(forward, TASK, batch, optimiser, 2) for batch in batches])


@pytest.mark.skipif(missing_tool("cpu") is not None, reason=f"{missing_tool('cpu')} is not there")
def test_compiled_losses_are_the_model_s_and_the_same_bytes_each_time() -> None:
    device.choose_device("cpu")
    forwards = [compile_forward(made(), INPUTS) for _ in range(2)]
    assert all(forward.whole is not forward.model for forward in forwards)
    first, second = map(losses, forwards)
    torch.testing.assert_close(first, losses(made()), rtol=1e-5, atol=0)
    assert torch.equal(first, second)


def test_without_a_compiler_one_line_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler")
    forward = made()
    assert compile_forward(forward, INPUTS) is forward
    said = capsys.readouterr().out
    assert said.startswith("compile: the C++ compiler no-such-compiler is not there; continuing without")
    assert said.count("\n") == 1


def test_a_compiler_that_fails_is_done_without(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def failing(model: object, **options: object) -> object:
        def call(inputs: Tensor) -> Tensor:
            raise RuntimeError("backend='inductor' raised:\nand so on")

        return call

    monkeypatch.setattr("stages.training.compilation.missing_tool", lambda device: None)
    monkeypatch.setattr(torch, "compile", failing)
    forward = made()
    assert compile_forward(forward, INPUTS) is forward
    assert (
        capsys.readouterr().out.splitlines()[0].startswith("compile: backend='inductor' raised:; continuing")
    )


def test_a_gpu_needs_triton(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stages.training.compilation.find_spec", lambda name: None)
    assert missing_tool("cuda") == "the package triton"

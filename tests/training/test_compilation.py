"""Fused kernels compute what the model computes; where they cannot be had, training goes on without."""

import pytest
import torch
from random_tasks import puzzles
from small_models import build, train_50_steps
from torch import Tensor

from stages.training import device
from stages.training.compilation import compile_forward, missing_tool
from stages.training.forward import eager

TASK = puzzles(32)
MODEL, REPLICATES = build(TASK, range(2))
INPUTS = next(TASK.epoch(REPLICATES, 1, 16)).inputs


def losses(compiled: bool) -> Tensor:
    forward = eager(build(TASK, range(2))[0])
    if compiled:
        forward = compile_forward(forward, INPUTS)
        assert forward.whole is not forward.model
    return train_50_steps(forward, TASK, REPLICATES, 16, 2)


@pytest.mark.skipif(missing_tool("cpu") is not None, reason=f"{missing_tool('cpu')} is not there")
def test_compiled_losses_are_the_model_s_and_the_same_bytes_each_time() -> None:
    device.choose_device("cpu")
    first, second = losses(compiled=True), losses(compiled=True)
    torch.testing.assert_close(first, losses(compiled=False), rtol=1e-5, atol=0)
    assert torch.equal(first, second)


def test_without_a_compiler_one_line_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler")
    forward = eager(MODEL)
    assert compile_forward(forward, INPUTS) is forward
    printed = capsys.readouterr().out
    assert printed.startswith("compile: the C++ compiler no-such-compiler is not there; continuing without")
    assert printed.count("\n") == 1


def test_a_compiler_that_fails_is_done_without(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def failing(model: object, **options: object) -> object:
        def call(inputs: Tensor) -> Tensor:
            raise RuntimeError("backend='inductor' raised:\nand so on")

        return call

    monkeypatch.setattr("stages.training.compilation.missing_tool", lambda device: None)
    monkeypatch.setattr(torch, "compile", failing)
    forward = eager(MODEL)
    assert compile_forward(forward, INPUTS) is forward
    assert (
        capsys.readouterr().out.splitlines()[0].startswith("compile: backend='inductor' raised:; continuing")
    )


def test_a_gpu_needs_triton(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stages.training.compilation.find_spec", lambda name: None)
    assert missing_tool("cuda") == "the package triton"

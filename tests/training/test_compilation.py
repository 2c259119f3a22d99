"""Fused kernels compute what the model computes; where they cannot be had, training goes on without."""

from os import environ
from shutil import which

import pytest
import torch
from random_tasks import puzzles
from small_models import build, train_50_steps
from torch import Tensor

from stages.training import device
from stages.training.forward import compile_forward, eager

TASK = puzzles(32)
MODEL, REPLICATES = build(TASK, range(2))
INPUTS = next(TASK.epoch(REPLICATES, 1, 16)).inputs


def losses(compiled: bool) -> Tensor:
    forward = eager(build(TASK, range(2))[0])
    if compiled:
        forward = compile_forward(forward, INPUTS)
        assert forward.whole is not forward.model
    return train_50_steps(forward, TASK, REPLICATES, 16, 2)


@pytest.mark.skipif(not which(environ.get("CXX", "g++")), reason="no C++ compiler")
def test_compiled_losses_are_the_model_s_and_the_same_bytes_each_time() -> None:
    device.choose_device("cpu")
    first, second = losses(compiled=True), losses(compiled=True)
    torch.testing.assert_close(first, losses(compiled=False), rtol=1e-5, atol=0)
    assert torch.equal(first, second)


def test_a_compiler_that_fails_or_is_missing_is_done_without(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def failing(model: object, **options: object) -> object:
        def call(inputs: Tensor) -> Tensor:
            raise RuntimeError("No working C++ compiler found\nand so on")

        return call

    monkeypatch.setattr(torch, "compile", failing)
    forward = eager(MODEL)
    assert compile_forward(forward, INPUTS) is forward
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("compile: No working C++ compiler found; continuing without, slower")

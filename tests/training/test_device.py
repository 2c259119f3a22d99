import pytest
import torch

from stages.training import device


def test_cuda_without_a_gpu_names_the_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ValueError, match="^device: 'cuda' given, .* set device to cpu or auto$"):
        device.choose("cuda")


def test_auto_takes_what_is_there() -> None:
    there = "cuda" if torch.cuda.is_available() else "cpu"
    assert device.choose("auto").type == there
    assert device.choose("cpu").type == "cpu"


def test_kernels_are_deterministic() -> None:
    device.choose("auto")
    assert torch.are_deterministic_algorithms_enabled()

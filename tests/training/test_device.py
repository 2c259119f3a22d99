from collections.abc import Iterator

import pytest
import torch

from stages.parameters.kinds import Precision
from stages.training import device


@pytest.fixture(autouse=True)
def reset_precision() -> Iterator[None]:
    yield
    torch.set_float32_matmul_precision("highest")


@pytest.fixture
def three_gpus(monkeypatch: pytest.MonkeyPatch) -> list[torch.device]:
    """Simulate three GPUs, the second with most free memory; yields the devices made current."""
    current: list[torch.device] = []
    free = [2e9, 8e9, 5e9]
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 3)
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda index: (int(free[index]), int(9e9)))
    monkeypatch.setattr(torch.cuda, "set_device", current.append)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: "Model X")
    return current


def test_cuda_without_a_gpu_names_the_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ValueError, match="^device: 'cuda' given, .* set device to cpu or auto$"):
        device.choose_device("cuda")


@pytest.mark.parametrize("name", ["auto", "cuda"])
def test_of_several_gpus_the_freest_is_taken(name: str, three_gpus: list[torch.device]) -> None:
    freest = torch.device("cuda", 1)
    assert device.choose_device(name) == freest and three_gpus == [freest]
    assert device.choose_device("cpu") == torch.device("cpu")
    assert device.device_name(freest) == "Model X" and device.device_name(torch.device("cpu")) == "cpu"


def test_kernels_are_deterministic_and_flush_numbers_too_small_for_a_full_fraction() -> None:
    device.choose_device("cpu")
    assert torch.are_deterministic_algorithms_enabled()
    assert torch.tensor([1e-39]).mul(1.0).item() == 0


def test_tf32_is_the_gpu_s_alone_and_other_formats_leave_float32_products_whole(
    three_gpus: list[torch.device],
) -> None:
    precisions: tuple[Precision, ...] = ("fp32", "bf16")
    for precision in precisions:
        device.choose_device("cuda", "tf32")
        assert torch.get_float32_matmul_precision() == "high"
        device.choose_device("cpu", precision)
        assert torch.get_float32_matmul_precision() == "highest"
    with pytest.raises(ValueError, match="^training.precision: 'tf32' given, .*; expected fp32 or bf16"):
        device.choose_device("cpu", "tf32")


def test_bf16_says_what_it_costs_without_its_instructions(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {"avx512_bf16": True})
    device.choose_device("cpu", "bf16")
    assert capsys.readouterr().out == ""
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {"avx512_bf16": False})
    device.choose_device("cpu", "bf16")
    assert "twice as long as with fp32" in capsys.readouterr().out
    assert device.instructions(torch.device("cpu")).endswith("bf16 False")

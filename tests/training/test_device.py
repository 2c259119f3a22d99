import pytest
import torch

from stages.core.settings.kinds import Precision
from stages.training import device

CPU = torch.device("cpu")


def test_cuda_without_a_gpu_names_the_cure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ValueError, match="^device: 'cuda' given, .* set device to cpu or auto$"):
        device.choose_device("cuda")


def test_a_gpu_is_taken_unless_the_cpu_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: "Model X")
    gpu = torch.device("cuda")
    assert device.choose_device("auto") == device.choose_device("cuda") == gpu
    assert device.choose_device("cpu") == CPU
    assert (device.device_name(gpu), device.device_name(CPU)) == ("Model X", "cpu")


def test_kernels_are_deterministic_and_flush_numbers_too_small_for_a_full_fraction() -> None:
    device.choose_device("cpu")
    assert torch.are_deterministic_algorithms_enabled()
    assert torch.tensor([1e-39]).mul(1.0).item() == 0


@pytest.mark.parametrize(
    ("flags", "allowed", "taken"),
    [
        ({"avx512_bf16": True}, None, "bf16"),  # Zen 4
        ({"amx_bf16": True}, "DEFAULT", "bf16"),  # Sapphire Rapids
        ({"bf16": True}, None, "bf16"),  # ARM
        ({"avx512_f": True, "avx512_bf16": False}, None, "fp32"),
        ({"avx2": True}, "ALL", "fp32"),
        ({"avx512_bf16": True}, "AVX2", "fp32"),  # as with reproducible: anywhere
        ({"avx512_bf16": True}, "AVX512_CORE_VNNI", "fp32"),
        ({"avx512_bf16": True}, "avx512_core_bf16", "bf16"),
        ({"amx_bf16": True}, "AVX512_CORE_AMX", "bf16"),
    ],
)
def test_auto_takes_bf16_where_the_processor_multiplies_it(
    flags: dict[str, bool], allowed: str | None, taken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ONEDNN_MAX_CPU_ISA", raising=False)
    if allowed is not None:
        monkeypatch.setenv("ONEDNN_MAX_CPU_ISA", allowed)
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: flags)
    assert device.choose_format("auto", CPU) == taken
    assert device.choose_format("bf16", CPU) == "bf16" and device.choose_format("fp32", CPU) == "fp32"
    assert device.instructions(CPU).split()[1:] == (list(flags) if taken == "bf16" else [])


def test_each_kind_of_processor_has_kernels_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    usual, threads = device.digest_processor(), torch.get_num_threads()
    assert device.digest_processor() == usual
    torch.set_num_threads(threads + 1)
    other_threads = device.digest_processor()
    torch.set_num_threads(threads)
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: "AVX3")
    limited = device.digest_processor()
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {"avx2": True, "cores": 2})
    other, more_cores = device.digest_processor(), {"avx2": True, "cores": 4}
    assert len({usual, other_threads, limited, other}) == 4 and other.startswith("avx3-")
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: more_cores)
    assert device.digest_processor() == other


@pytest.mark.parametrize(("capability", "taken"), [((7, 5), "fp32"), ((8, 0), "bf16"), ((9, 0), "bf16")])
def test_auto_takes_bf16_on_a_gpu_from_ampere_on(
    capability: tuple[int, int], taken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device: capability)
    assert device.choose_format("auto", torch.device("cuda", 0)) == taken


def test_the_format_and_its_cost_are_said_where_units_are_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: tuple[Precision, ...] = ("auto", "bf16", "fp32")
    said = {}
    for units in (True, False):
        monkeypatch.setattr(device, "multiplies_bf16", lambda where, units=units: units)
        for precision in asked:
            device.choose_format(precision, CPU)
            said[units, precision] = capsys.readouterr().out
    assert (
        said[False, "auto"]
        == "note: precision auto takes fp32, as this processor has no units for bfloat16\n"
    )
    assert said[False, "bf16"].startswith("note: precision bf16 takes up to 9 times as long as fp32, as this")
    assert {text for asked, text in said.items() if asked[0] or asked[1] == "fp32"} == {""}

"""Training speed beside two plain PyTorch loops and this machine's own ceilings: `make bench`.

Ratios are the result: medians of rounds taken in turn, in one run.
"""

import os
import sys
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, replace
from datetime import date
from multiprocessing import get_context
from typing import Any

import torch
from bench_encodings import encodings
from ceilings import flops, products_per_s
from parts import parts
from speeds import insert_tables, keep_run, name_kind
from tqdm import tqdm
from workloads import (
    Loop,
    Work,
    case,
    in_processes,
    in_turn,
    model_of,
    random_task,
    samples_of,
    warm_up,
)

from stages.cells.made_by import name_processor
from stages.core.settings.kinds import Format
from stages.training import device

CORES = os.cpu_count() or 1
FORMATS: tuple[Format, ...] = ("fp32", "bf16")  # of a step's parts, also where bf16 has no units
MEASURED = ("grid", "network", "recordings")
PUBLISHED = Loop("published")
STACKS = [Loop("ours", precision, compiled, 8) for precision in FORMATS for compiled in (False, True)]
# of a processor's instructions, where they are set: of torch's own kernels, of oneDNN's and of MKL's
LIMITS = ("ATEN_CPU_CAPABILITY", "ONEDNN_MAX_CPU_ISA", "MKL_ENABLE_INSTRUCTIONS")


def formats(where: torch.device) -> tuple[Format, ...]:
    """Choose formats whose loops are measured: float32, and bfloat16 where there are units for it."""
    return FORMATS if device.multiplies_bf16(where) else ("fp32",)


def loops(name: str, size: str, where: torch.device) -> list[Loop]:
    """List rows of a task and size.

    On the CPU large models show all that stacking gives with one replica.
    """
    stack = 1 if size == "paper" else 4
    plain = [Loop("plain"), Loop("plain", "bf16"), Loop("plain", "bf16", True)]
    eager = [Loop("ours", "fp32", False, stack), Loop("ours", "bf16", False, stack)]
    ours = [*eager, *(replace(loop, compiled=True) for loop in eager)]
    beside = [replace(loop, processes=CORES) for loop in (PUBLISHED, *plain, *ours)]
    rows = [PUBLISHED, Loop("plain"), eager[0], *beside]
    return [row for row in rows if row.precision in formats(where)]


def compile_all(cases: list[tuple[str, str]], where: torch.device) -> dict[tuple[str, str, Loop], float]:
    """Return the seconds until each compiled row of the CPU has made its first step.

    As many compile at once as there are cores. What follows finds the kernels ready.
    """
    rows = [(name, size, loop) for size, name in cases for loop in loops(name, size, where) if loop.compiled]
    with ProcessPoolExecutor(CORES, get_context("spawn"), max_tasks_per_child=1) as pool:
        took = [pool.submit(warm_up, *row) for row in rows]
        return {
            row: each.result() for row, each in zip(rows, tqdm(took, "compiling", disable=None), strict=True)
        }


def compare(
    name: str, size: str, where: torch.device, best: dict[Format, float], warm_up_s: Mapping[Loop, float]
) -> list[dict[str, Any]]:
    """Measure samples per second of plain loops and of stacks; best: floating-point operations per second."""
    task, sizes = random_task(name, where), model_of(name, size)
    works: dict[Loop, Work] = {}
    samples = {}
    for loop in loops(name, size, where):
        if loop.processes == 1:
            works[loop], samples[loop] = case(name, size, loop, where)
        else:
            works[loop] = in_processes(name, size, loop)
            samples[loop] = loop.processes * samples_of(size, loop)
    took = in_turn(works)
    rates = {loop: samples[loop] / took_s for loop, took_s in took.items()}
    best_plain = max(rate for loop, rate in rates.items() if loop.kind == "plain")
    return [
        {"task": name, "size": size, **asdict(loop)}
        | {"samples_per_s": rate}
        | {"over_plain_fp32": rate / rates[PUBLISHED], "over_best_plain": rate / best_plain}
        | {"of_ceiling": rate * flops(task, sizes) / best[loop.precision]}
        | ({"warm_up_s": warm_up_s[loop]} if loop in warm_up_s else {})
        for loop, rate in rates.items()
    ]


def measured(where: torch.device) -> dict[str, Any]:
    found: dict[str, Any] = {"date": date.today().isoformat(), "torch": torch.__version__}
    found |= {"device": device.device_name(where), "threads": torch.get_num_threads()}
    limits = {name: os.environ[name] for name in LIMITS if name in os.environ}
    found |= {"machine": {"cpu": name_processor(), **limits}}
    best = products_per_s(where)
    cases = [*(("small", name) for name in MEASURED), ("paper", "grid")]
    compiled = compile_all(cases, where)
    rows = []
    for size, name in tqdm(cases, "training", disable=None):
        of_case = {loop: took_s for (*row, loop), took_s in compiled.items() if row == [name, size]}
        rows += compare(name, size, where, best, of_case)
    found |= {"flop_per_s": best, "training": rows, "encodings": encodings(where, formats(where))}
    found["parts"] = [
        {"task": name, "precision": loop.precision, "compiled": loop.compiled, **parts(name, loop, where)}
        for name in MEASURED
        for loop in STACKS
    ]
    return found


def show(found: dict[str, Any]) -> None:
    rates = ", ".join(f"{rate / 1e9:.0f} GFLOP/s in {name}" for name, rate in found["flop_per_s"].items())
    print(f"{rates} products")
    print(f"{'':58}{'samples/s':>10}{'x published':>12}{'x best plain':>13}{'of FLOP/s':>10}")
    for row in found["training"]:
        name = f"{row['task']} {row['size']} {row['kind']} {row['precision']}"
        name += " compiled" * row["compiled"] + f", {row['replicas']} x {row['processes']} processes"
        times = f"{row['samples_per_s']:10.0f}{row['over_plain_fp32']:12.2f}{row['over_best_plain']:13.2f}"
        warm_up = f"  after {row['warm_up_s']:.0f} s" if "warm_up_s" in row else ""
        print(f"{name:58}{times}{row['of_ceiling']:10.2f}{warm_up}")
    for precision, ratios in found["encodings"].items():
        print(f"a step beside learned, {precision}:", ", ".join(f"{k} {v:.2f}" for k, v in ratios.items()))


def main() -> None:
    where = device.choose_device(sys.argv[1] if len(sys.argv) > 1 else "auto")
    found = measured(where)
    print(keep_run(name_kind(where), found))
    insert_tables()
    show(found)


if __name__ == "__main__":
    main()

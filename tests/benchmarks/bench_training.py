"""Training speed beside a plain PyTorch loop and this machine's own ceilings: `make bench`.

Ratios are the result: medians of rounds taken in turn, in one run.
"""

import json
import os
import sys
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import torch
from bench_memory import peak_mb
from bench_pipeline import pipeline
from bench_quality import time_to_score
from bench_scaling import scaling
from ceilings import bytes_moved, ceilings, flops
from tqdm import tqdm
from workloads import BATCH, CONFIGURATION, TOKENS, beside, case, in_turn, model_of, random_task

from stages.randomness.streams import Replicates
from stages.training import device
from stages.training.assemble import assemble
from stages.training.forward import Forward
from stages.training.memory import replicas_at_once

MOST_REPLICAS = {"cpu": 64, "cuda": 256}  # so that the script ends
SWEEP = {"configurations": 21, "seeds": 15, "epochs": 4000, "puzzles": 8100}  # as published, on the grid
CORES = os.cpu_count() or 1
MEASURED = ("grid", "network", "recordings")


def loops(name: str, size: str, where: torch.device) -> list[str]:
    """Rows of a task and size: on the CPU, large models show all that stacking gives with one replica."""
    if where.type == "cpu" and size == "paper":
        return ["plain", "1", *["1 fused"] * (name == "grid")]
    most = str(fitting(name, size, where))
    if where.type == "cuda":
        return ["plain", "1", "4", "15", most, "15 fused"]
    return ["plain", "1", "4", "15", most, *(f"{loop} beside" for loop in ("plain", "4", "15"))]


def fitting(name: str, size: str, where: torch.device) -> int:
    """As many replicas as memory holds at once, MOST_REPLICAS at most."""
    task = random_task(name, TOKENS[name], where)
    replicates = Replicates(0, "bench", range(MOST_REPLICAS[where.type]))
    model = assemble(task, CONFIGURATION, model_of(name, size), replicates).to(where)
    return replicas_at_once(Forward(model), task, next(task.epoch(replicates, 1, BATCH)))


def compare(name: str, size: str, where: torch.device, best: dict[str, float]) -> list[dict[str, Any]]:
    """Samples per second and peak memory of the plain loop and of stacks, and their shares of ceilings."""
    task, sizes = random_task(name, TOKENS[name], where), model_of(name, size)
    needed = {
        "of_ceiling": flops(task, sizes) / best["flop_per_s"],
        "of_bandwidth": bytes_moved(task, sizes, where) / best["bytes_per_s"],
    }
    works, samples, warm_up = {}, {}, {}
    for loop in dict.fromkeys(loops(name, size, where)):
        start = perf_counter()
        works[loop], samples[loop] = case(name, size, loop.removesuffix(" beside"), where)
        if "beside" in loop:
            works[loop] = beside(name, size, loop.removesuffix(" beside"), CORES)
            samples[loop] *= CORES
        if "fused" in loop:
            warm_up[loop] = {"warm_up_s": perf_counter() - start}
    took = in_turn(works)
    rows = []
    for loop, took_s in took.items():
        rate = samples[loop] / took_s
        row = {"task": name, "size": size, "loop": loop, "samples_per_s": rate}
        row |= {"over_plain": rate * took["plain"] / samples["plain"]}
        row |= {name: rate * seconds_each for name, seconds_each in needed.items()}
        alone = loop.removesuffix(" beside")
        peak = peak_mb(name, size, alone, where) * (1 if alone == loop else CORES)
        rows.append(row | {"peak_mb": peak} | warm_up.get(loop, {}))
    return rows


def projection(rows: list[dict[str, Any]]) -> dict[str, float]:
    """Days of the published sweep of grid puzzles at the best rate measured: presentations over rate."""
    rate = max(r["samples_per_s"] for r in rows if (r["task"], r["size"]) == ("grid", "paper"))
    presentations = SWEEP["configurations"] * SWEEP["seeds"] * SWEEP["epochs"] * SWEEP["puzzles"]
    days = presentations / rate / 86400
    return SWEEP | {"presentations": presentations, "samples_per_s": rate, "days": days}


def measured(where: torch.device) -> dict[str, Any]:
    found: dict[str, Any] = {"date": date.today().isoformat(), "torch": torch.__version__}
    found |= {"device": device.device_name(where), "threads": torch.get_num_threads()}
    best = ceilings(where)
    names = [*MEASURED, *["recordings_360"] * (where.type == "cuda")]
    cases = [("small", name) for name in MEASURED] + [("paper", name) for name in names]
    rows = []
    for size, name in tqdm(cases, "training", disable=None):
        rows += compare(name, size, where, best)
    found |= best | {"training": rows, "published_grid_sweep": projection(rows)}
    return found | {
        "scaling": scaling(where),
        "time_to_score": time_to_score(where),
        "pipeline": pipeline(),
    }


def show(found: dict[str, Any]) -> None:
    print(
        f"{found['flop_per_s'] / 1e9:.0f} GFLOP/s in matrix products, {found['bytes_per_s'] / 1e9:.1f} GB/s"
    )
    print(f"{'':30}{'samples/s':>12}{'x plain':>9}{'of FLOP/s':>11}{'of GB/s':>9}{'peak MB':>9}")
    for row in found["training"]:
        name = f"{row['task']} {row['size']} {row['loop']}"
        rates = f"{row['samples_per_s']:12.0f}{row['over_plain']:9.2f}"
        shares = f"{row['of_ceiling']:11.2f}{row['of_bandwidth']:9.2f}{row['peak_mb']:9.0f}"
        warm_up = f"  after {row['warm_up_s']:.0f} s" if "warm_up_s" in row else ""
        print(f"{name:30}{rates}{shares}{warm_up}")
    for name, fitted in found["scaling"].items():
        print(f"cost ~ {name}^{fitted['exponent']:.2f}")
    for section in ("published_grid_sweep", "time_to_score", "pipeline"):
        print(section, json.dumps(found[section]))


def main() -> None:
    where = device.choose_device(sys.argv[1] if len(sys.argv) > 1 else "auto")
    with TemporaryDirectory() as folder:
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder  # so that each run compiles anew and warm-ups compare
        found = measured(where)
    path = Path("reports/benchmarks") / f"training_{where.type}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found, indent=2) + "\n")
    show(found)


if __name__ == "__main__":
    main()

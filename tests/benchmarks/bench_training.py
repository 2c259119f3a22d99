"""Training speed beside a plain PyTorch loop and this machine's own ceiling: `make bench`.

Ratios are the result: medians of rounds taken in turn, in one run. Data are random; speed does not depend on
them.
"""

import json
import resource
import subprocess
import sys
from collections.abc import Callable, Mapping
from datetime import date
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
import torch
from plain import PlainGrid, PlainMasked
from tqdm import tqdm

from stages import params
from stages.numerics import euler_maruyama
from stages.numerics.graphs import ring, scaled_to
from stages.numerics.positions import Positions
from stages.numerics.puzzle_generation import generate, givens_range
from stages.numerics.rate_network import RateNetwork, simulate
from stages.numerics.streams import Replicates
from stages.params import Configuration, Model
from stages.tasks.grid import Grid
from stages.tasks.interface import Codes, Task
from stages.tasks.masked import MaskedRegression
from stages.training import device
from stages.training.adamw import FlatAdamW
from stages.training.assemble import assemble
from stages.training.fit import step
from stages.training.forward import eager

ROUNDS, STEPS = 5, 8
BATCH = 128
SIZES = {"small": None, "paper": Model(160, 4, 1, 4)}
TOKENS = {"grid": 16, "network": 15, "recordings": 80}
N_EXAMPLES = BATCH * STEPS
CONFIGURATION = Configuration("pe", "learned", {})


def random_task(name: str, n_tokens: int, where: torch.device, examples: int = N_EXAMPLES) -> Task:
    """A task of that kind with random training examples."""
    torch.manual_seed(0)
    if name == "grid":
        order = round(n_tokens**0.5)
        puzzles = torch.randint(0, order + 2, (examples, n_tokens), device=where)
        return Grid({"train": puzzles}, {"train": torch.randint(0, order, (examples,), device=where)}, order)
    frames = {"train": torch.randn(examples, n_tokens, device=where)}
    return MaskedRegression(frames, {}, 0.5, Positions(n_tokens), np.arange(examples))


def ours(task: Task, sizes: Model, replicas: int, where: torch.device) -> Callable[[], None]:
    """STEPS steps of a stack of replicas."""
    replicates = Replicates(0, "bench", range(replicas))
    model = assemble(task, CONFIGURATION, sizes, replicates).to(where)
    forward, optimiser = eager(model), FlatAdamW(model, 1e-4, 0)

    def steps() -> None:
        for batch in task.epoch(replicates, 1, BATCH):
            step(forward, task, batch, optimiser, replicas)
        synchronise(where)

    return steps


def plain(task: Task, sizes: Model, where: torch.device) -> Callable[[], None]:
    """STEPS steps of one seed as usually written."""
    loop = PlainGrid(task, sizes, BATCH) if isinstance(task, Grid) else PlainMasked(task, sizes, BATCH)  # type: ignore[arg-type]

    def steps() -> None:
        loop.steps(STEPS)
        synchronise(where)

    return steps


def synchronise(where: torch.device) -> None:
    if where.type == "cuda":
        torch.cuda.synchronize()


def seconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def in_turn(works: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """Median seconds of each piece of work over rounds taken in turn, after one round to warm up."""
    rounds = [{name: seconds(work) for name, work in works.items()} for _ in range(ROUNDS + 1)][1:]
    return {name: median(one[name] for one in rounds) for name in works}


def flops(task: Task, sizes: Model, n: int) -> float:
    """Floating-point operations of the matrix products for one example, forward and backward.

    The last block computes only what is read: queries, attention rows, output projection and MLP of m tokens,
    keys and values of all n. The backward pass costs twice the forward pass.
    """
    d, m = sizes.width, n if task.read == slice(None) else 1
    features = 0 if isinstance(task.inputs, Codes) else task.inputs.n  # codes are looked up
    per_token = (2 + 2 * sizes.expansion) * d * d  # queries, output projection, MLP
    keys_values, attention = 2 * d * d * n, 2 * n * d
    full = (sizes.blocks - 1) * (n * (per_token + attention) + keys_values)
    last = m * (per_token + attention) + keys_values
    return 3 * 2 * (full + last + n * features * d + m * d * task.n_outputs)


def ceilings(where: torch.device) -> dict[str, float]:
    """FLOP/s of a large float32 matrix product and bytes/s of a large copy, both ways counted."""
    a, b = (torch.randn(2048, 2048, device=where) for _ in range(2))
    source, target = (torch.empty(1 << 26, device=where) for _ in range(2))

    def product() -> None:
        torch.mm(a, b)
        synchronise(where)

    def copy() -> None:
        target.copy_(source)
        synchronise(where)

    took = in_turn({"product": product, "copy": copy})
    return {"flop_per_s": 2 * 2048**3 / took["product"], "bytes_per_s": 8 * source.numel() / took["copy"]}


def compare(name: str, size: str, sizes: Model, where: torch.device, rate: float) -> list[dict[str, Any]]:
    """Samples per second of the plain loop and of stacks, and their share of the matrix-product ceiling."""
    n = TOKENS[name]
    task = random_task(name, n, where)
    stacks = (1, 4, 15) if size == "small" or where.type == "cuda" else (1,)
    works = {"plain": plain(task, sizes, where)}
    works |= {f"{replicas}": ours(task, sizes, replicas, where) for replicas in stacks}
    took = in_turn(works)
    rows = []
    for label, took_s in took.items():
        replicas = 1 if label == "plain" else int(label)
        samples = replicas * STEPS * BATCH / took_s
        share = samples * flops(task, sizes, n) / rate
        rows.append(
            {"task": name, "size": size, "loop": label, "samples_per_s": samples, "of_ceiling": share}
            | {"over_plain": samples * took["plain"] / (STEPS * BATCH)}
        )
    return rows


def exponent(xs: list[int], costs: list[float]) -> float:
    """The slope of log cost against log x."""
    return float(np.polyfit(np.log(xs), np.log(costs), 1)[0])


def scaling(where: torch.device) -> dict[str, dict[str, Any]]:
    """Seconds per step against replicas, tokens and width, with the fitted exponent."""
    base = Model(64, 2, 1, 4)
    cases: dict[str, dict[int, Callable[[], None]]] = {
        "replicas": {r: ours(random_task("grid", 16, where), base, r, where) for r in (1, 2, 4, 8)},
        "tokens": {
            n: ours(random_task("network", n, where, BATCH), base, 1, where) for n in (16, 64, 256, 1024)
        },
        "width": {
            d: ours(random_task("grid", 16, where), Model(d, 2, 1, 4), 1, where) for d in (32, 64, 128, 256)
        },
    }
    found = {}
    for name, works in cases.items():
        took = [seconds(work) for work in works.values() for _ in range(2)][1::2]
        found[name] = {"at": list(works), "seconds": took, "exponent": exponent(list(works), took)}
    return found


def pipeline(settings: params.Params) -> dict[str, float]:
    """Seconds of what stands around training: finding nothing to do, starting a cell, making the data."""
    grid, network = settings.grid, settings.network
    sizes = settings.scales["small"].grid.data
    rates = RateNetwork(
        scaled_to(ring(network.nodes).adjacency, 0.95), network.gain, network.tau_s, network.noise
    )
    rest = np.zeros((100, network.nodes))

    def puzzles() -> None:
        givens = givens_range(grid.order, grid.min_givens, grid.max_givens)
        per_complexity = (sizes.validation_per_complexity, sizes.puzzles_per_complexity)
        generate(grid.order, givens, *per_complexity, grid.min_distance, settings.seed)

    def frames() -> None:
        random = np.random.default_rng(0)
        endless = simulate(rates, euler_maruyama, rest, network.dt_s, 40, random)
        list(islice(endless, 50))

    def command(*words: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, *words], check=True, capture_output=True)

    works = {
        "dvc_repro_dry_s": command("-m", "dvc", "repro", "--dry"),
        "start_of_a_cell_s": command("-c", "import stages.train, stages.tasks.grid"),
        "puzzles_9108_s": puzzles,
        "network_3e6_node_steps_s": frames,
    }
    return in_turn(works)


def main() -> None:
    where = device.choose(sys.argv[1] if len(sys.argv) > 1 else "auto")
    found: dict[str, Any] = {"date": date.today().isoformat(), "torch": torch.__version__}
    found["device"] = torch.cuda.get_device_name() if where.type == "cuda" else "cpu"
    found["threads"] = torch.get_num_threads()
    found |= ceilings(where)
    small = params.load().scales["small"]
    cases = [(task, size) for size in SIZES for task in params.TASKS]
    found["training"] = []
    for task, size in tqdm(cases, desc="training", disable=None):
        sizes = SIZES[size] or getattr(small, task).model
        found["training"] += compare(task, size, sizes, where, found["flop_per_s"])
    found["scaling"] = scaling(where)
    found["peak_resident_gb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    found["pipeline"] = pipeline(params.load())
    path = Path("reports/benchmarks") / f"training_{where.type}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found, indent=2) + "\n")
    print(
        f"{found['flop_per_s'] / 1e9:.0f} GFLOP/s in matrix products, {found['bytes_per_s'] / 1e9:.1f} GB/s"
    )
    print(f"{'task':12}{'size':7}{'loop':>6}{'samples/s':>12}{'x plain':>9}{'of ceiling':>12}")
    for row in found["training"]:
        numbers = f"{row['samples_per_s']:12.0f}{row['over_plain']:9.2f}{row['of_ceiling']:12.2f}"
        print(f"{row['task']:12}{row['size']:7}{row['loop']:>6}{numbers}")
    for name, fitted in found["scaling"].items():
        print(f"cost ~ {name}^{fitted['exponent']:.2f}")
    for name, took_s in found["pipeline"].items():
        print(f"{name} {took_s:.2f}")


if __name__ == "__main__":
    main()

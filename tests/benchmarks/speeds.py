"""Runs of the bench: a file for each kind of processor, and a table of each kind's newest run in README."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import torch

from stages.training import device

ROOT = Path(__file__).parents[2]
RUNS = ROOT / "reports/benchmarks"
README = Path(__file__).with_name("README.md")
BEGIN, END = "<!-- speeds: begin -->", "<!-- speeds: end -->"
HEADS = ("task", "size", "loop", "precision", "compiled", "replicas", "processes", "× as published")
PARTS = ("task", "precision", "compiled", "step, ms", "products", "optimiser", "data", "all else")


def name_kind(where: torch.device) -> str:
    """Name what decides speed: a GPU, units for bfloat16, or the widest vector instructions."""
    if where.type == "cuda":
        return "cuda"
    return (device.list_units() or device.instructions(where).split())[0]


def keep_run(kind: str, run: Mapping[str, Any]) -> Path:
    """Add a run to those of its kind; none is overwritten."""
    path = RUNS / f"{kind}.json"
    before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    path.write_text(json.dumps([*before, run], indent=1) + "\n", encoding="utf-8")
    return path


def write_tables() -> str:
    """Write the newest run of each kind as Markdown, and a step under every encoding beside each other."""
    newest = {
        path.stem: json.loads(path.read_text(encoding="utf-8"))[-1] for path in sorted(RUNS.glob("*.json"))
    }
    kinds = [line for kind, run in newest.items() for line in write_kind(kind, run)]
    return "\n".join([*kinds, *write_encodings(newest)])


def write_kind(kind: str, run: Mapping[str, Any]) -> Iterator[str]:
    rates = ", ".join(f"{name} {write_rate(rate)}" for name, rate in run["flop_per_s"].items())
    limits = ", ".join(f"{name}={value}" for name, value in run["machine"].items() if name != "cpu")
    yield f"\n### {kind}\n"
    yield f"{run['machine']['cpu']}, {run['threads']} cores, {run['date']}, torch {run['torch']}. Products of"
    yield f"2048 × 2048 in GFLOP/s: {rates}." + f" Limited by {limits}." * bool(limits) + "\n"
    yield write_row(*HEADS, "× best plain", "of products")
    yield "|---" * (len(HEADS) + 2) + "|"
    for row in run["training"]:
        named = [row[key] for key in ("task", "size", "kind", "precision")]
        ratios = [f"{row[over]:.2f}" for over in ("over_plain_fp32", "over_best_plain")]
        share, compiled = f"{100 * row['of_ceiling']:.0f} %", "yes" if row["compiled"] else "no"
        yield write_row(*named, compiled, row["replicas"], row["processes"], *ratios, share)
    if "parts" in run:
        yield "\n" + write_row(*PARTS)
        yield "|---" * len(PARTS) + "|"
    for row in run.get("parts", ()):
        parts = [row[part] for part in ("products", "optimiser", "data")]
        rest = row["step"] - sum(parts[:2])  # data are made before the step
        shown = [f"{1e3 * taken:.1f}" for taken in (row["step"], *parts, rest)]
        yield write_row(row["task"], row["precision"], "yes" if row["compiled"] else "no", *shown)


def write_rate(flop_per_s: float) -> str:
    """Write a rate in GFLOP/s, of bfloat16 without units for it below 1."""
    return f"{flop_per_s / 1e9:.1f}" if flop_per_s < 1e10 else f"{flop_per_s / 1e9:.0f}"


def write_encodings(newest: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Write seconds of a step over those with `learned`, in the order of the first kind's float32."""
    columns = {
        f"{kind}: {precision}": ratios
        for kind, run in newest.items()
        for precision, ratios in run["encodings"].items()
    }
    yield "\n### A step under every encoding\n"
    yield "Seconds of a training step over those with `learned`: 80 tokens in space, three replicas, eager.\n"
    yield write_row("encoding", *columns)
    yield "|---" * (1 + len(columns)) + "|"
    first: Mapping[str, float] = next(iter(columns.values()), {})
    for scheme in sorted(first, key=first.__getitem__):
        ratios = [f"{one[scheme]:.1f}" if scheme in one else "" for one in columns.values()]
        yield write_row(f"`{scheme}`", *ratios)


def write_row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def insert_tables() -> None:
    """Put the tables between the marks of README."""
    before, _, rest = README.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    README.write_text(f"{before}{BEGIN}\n{write_tables()}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    insert_tables()

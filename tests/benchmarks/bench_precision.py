"""What bfloat16 does to results at scale small, by name, half an hour.

Five seeds of a small and a large σ and of a sinusoid on each task, trained in float32 and in bfloat16;
differences seed by seed, with 95 % intervals (Student's t).
"""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from stages.measures.statistics import compare_paired
from stages.parameters import params
from stages.reviewing.provenance import describe_machine
from stages.tasks.facts import find_facts
from stages.variations.changes import FILE, RESULTS
from stages.variations.vary import vary

WORK = Path("data/.bench_precision.part")
SEEDS = 5
COMPARED: dict[str, Any] = {
    "learned_s020": {"scheme": "learned", "init_std": 0.2},
    "learned_s200": {"scheme": "learned", "init_std": 2.0},
}
SINUSOID = {"grid": "sinusoidal_nd", "network": "sinusoidal_1d", "recordings": "sinusoidal_nd"}


def scores(task: str) -> pd.DataFrame:
    """The task's scores, columns configuration, seed, precision and value."""
    values = params.read(Path(params.FILE)) | {"scale": "small"}
    values["scales"]["small"]["usual"]["training"]["seeds"] = SEEDS
    changes = {precision: {"training.precision": precision} for precision in ("fp32", "bf16")}
    compared = COMPARED | {SINUSOID[task]: {"scheme": SINUSOID[task]}}
    (WORK / FILE).parent.mkdir(parents=True, exist_ok=True)
    variations = {"variations": {"compared": compared, task: changes}}
    (WORK / FILE).write_text(yaml.safe_dump(variations, sort_keys=False))
    (WORK / params.FILE).write_text(yaml.safe_dump(values, sort_keys=False))
    facts, parts = find_facts(task), []
    for given in facts.given:
        (WORK / given).parent.mkdir(parents=True, exist_ok=True)
        if not (WORK / given).exists():
            (WORK / given).symlink_to(given.resolve())
    for precision in changes:
        if not (path := WORK / RESULTS / task / f"{precision}.csv").exists():  # an interrupted run goes on
            vary(WORK, task, precision)
        parts.append(facts.score.rows(pd.read_csv(path), task).assign(precision=precision))
    return pd.concat(parts).query("configuration in @compared")


def compare(task: str) -> list[dict[str, Any]]:
    """A row per configuration: bfloat16 (a) beside float32 (b), seed by seed."""
    found = []
    for name, rows in scores(task).groupby("configuration"):
        by_seed = rows.pivot_table(index="seed", columns="precision", values="value")
        numbers = compare_paired(by_seed.bf16.to_numpy(float), by_seed.fp32.to_numpy(float))
        found.append({"task": task, "configuration": str(name), **numbers})
    return found


def main() -> None:
    rows = [row for task in SINUSOID for row in compare(task)]
    text = json.dumps({"machine": describe_machine(), "scale": "small", "rows": rows}, indent=2)
    Path("reports/benchmarks/precision_cpu.json").write_text(text + "\n")
    print(pd.DataFrame(rows).to_string(index=False, float_format="%.4f"))


if __name__ == "__main__":
    main()

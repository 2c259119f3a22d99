"""What bfloat16 does to results at scale small, by name, half an hour.

Five seeds of a small and a large σ and of a sinusoid on each task, trained in float32 and in bfloat16;
differences seed by seed, with 95 % intervals (Student's t).
"""

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from stages.parameters import params
from stages.reviewing.provenance import describe_machine
from stages.score import score_cell
from stages.studies.cells import read_cells, score_path
from stages.studies.compare import compare
from stages.studies.expand import expand
from stages.studies.gather import gather
from stages.studies.schema import load_study
from stages.studies.tables import read_table, report_path
from stages.tasks.facts import find_facts
from stages.train import train

WORK = Path("data/.bench_precision.part")
NAME = "precision"
CELLS: dict[str, Any] = {
    "learned_s020": {"scheme": "learned", "init_std": 0.2},
    "learned_s200": {"scheme": "learned", "init_std": 2.0},
    "sinusoidal_nd": {"scheme": "sinusoidal_nd", "tasks": ["grid", "recordings"]},
    "sinusoidal_1d": {"scheme": "sinusoidal_1d", "tasks": ["network"]},
}
STUDY: dict[str, Any] = {
    "question": "What does bfloat16 do to results?",
    "tasks": ["grid", "network", "recordings"],
    "seeds": 5,
    "axis": {"settings": {name: {"training.precision": name} for name in ("fp32", "bf16")}},
    "cells": CELLS,
    "compare": {NAME: {"pairs": [[f"{cell}@bf16", f"{cell}@fp32"] for cell in CELLS]}},
    "figure": {"kind": "rows"},
}


def prepare() -> None:
    """The study in a folder of its own, with the data of its tasks at scale small."""
    (WORK / "studies").mkdir(parents=True, exist_ok=True)
    values = params.read(Path(params.FILE)) | {"scale": "small"}
    (WORK / params.FILE).write_text(yaml.safe_dump(values, sort_keys=False))
    (WORK / f"studies/{NAME}.yaml").write_text(yaml.safe_dump(STUDY, sort_keys=False))
    expand(WORK, NAME)
    for task in STUDY["tasks"]:
        facts = find_facts(task)
        for given in facts.given:
            (WORK / given).parent.mkdir(parents=True, exist_ok=True)
            if not (WORK / given).exists():
                (WORK / given).symlink_to(given.resolve())
        import_module(facts.made_by).main(WORK)


def main() -> None:
    """A row per cell: bfloat16 (a) beside float32 (b), seed by seed. An interrupted run goes on."""
    prepare()
    for of_group in read_cells(WORK, NAME)["cells"].values():
        for key in of_group:
            if not score_path(WORK, NAME, key).exists():
                train(WORK, NAME, [key])
                score_cell(WORK, NAME, key)
    gather(WORK, NAME)
    table = compare(load_study(WORK, NAME), read_table(WORK / report_path(NAME, "scores")))
    kept = ["task", "a", "n", "mean_a", "mean_b", "difference", "low", "high", "effect_size"]
    table = table[table.metric == "score"][kept].rename(columns={"a": "configuration"})
    rows = json.loads(pd.DataFrame(table).to_json(orient="records"))
    text = json.dumps({"machine": describe_machine(), "scale": "small", "rows": rows}, indent=2)
    Path("reports/benchmarks/precision_cpu.json").write_text(text + "\n", encoding="utf-8")
    print(table.to_string(index=False, float_format="%.4f"))


if __name__ == "__main__":
    main()

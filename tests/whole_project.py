"""The project itself with small studies, run at scale smoke, as a user has it after `make repro`."""

import re
import shutil
from pathlib import Path
from typing import Any

from changed_params import write_params, write_yaml
from commands import call, copy_project, leave_out_studies

TASKS = ["grid", "network", "recordings"]
SIGMA: dict[str, Any] = {
    "question": "Does the size of a table matter?",
    "tasks": TASKS,
    "focus": True,
    "axis": {"of": "init_std", "values": [0.2, 2.0]},
    "cells": {
        "learned": {"scheme": "learned"},
        "random": {"scheme": "random_fixed", "init_std": 0.2},
        "sinusoidal_nd": {"scheme": "sinusoidal_nd"},
    },
    "measures": ["read_back", "read_out", "attention"],
    "compare": {
        "sigma": {"pairs": [["learned@0.2", "learned@2"], ["focus", "random"]]},
        "fixed": {"pairs": [["sinusoidal_nd", "random"]]},
    },
    "figure": {"kind": "lines", "metrics": ["score", "alignment"]},
    "claims": {
        "small": {
            "says": "A small table is better.", "source": "Ito", "stated": "after", "main": True,
            "tests": [{"task": task, "a": "learned@0.2", "b": "learned@2"} for task in TASKS],
        },
        "floor": {
            "says": "The Gaussian is better.", "source": "ours", "stated": "after",
            "tests": [{"task": "recordings", "a": "learned", "b": "floor_gaussian", "expect": "worse"}],
        },
    },
}  # fmt: skip
PROBE: dict[str, Any] = {
    "question": "Which encodings tell tokens apart?",
    "tasks": ["probe"],
    "cells": {"learned_input": {"scheme": "learned", "where": "input"}, "rope": {"scheme": "rope"}},
    "measures": ["theory"],
    "figure": {"kind": "rows"},
    "claims": {
        "relative": {
            "says": "Rotations tell none apart.", "source": "Su", "stated": "after",
            "tests": [{
                "task": "probe", "a": "rope", "than": 1.0, "metric": "theory/distinct_rows",
                "expect": {"within": 0.5},
            }],
        },
    },
}  # fmt: skip
KEPT = "published"  # of the project's own studies, which the report shows


def run_project(folder: Path) -> Path:
    """Copy the project at scale smoke with small studies, run all its stages, and commit what they make."""
    copy_project(folder)
    write_params(folder, {})
    leave_out_studies(folder, KEPT)
    shutil.rmtree(folder / "reports/studies", ignore_errors=True)
    for name, study in {"sigma": SIGMA, "probe": PROBE}.items():
        write_yaml(folder / f"studies/{name}.yaml", study)
    call(folder, "git", "init", "--quiet")
    call(folder, "git", "config", "user.name", "Test")
    call(folder, "git", "config", "user.email", "test@example.org")
    commit(folder, "A copy")
    call(folder, "dvc", "repro")
    commit(folder, "Its results")
    return folder


def commit(folder: Path, message: str) -> None:
    call(folder, "git", "add", "--all")
    call(folder, "git", "commit", "--quiet", "--message", message)


def ran(output: str) -> set[str]:
    """List the stages that dvc says it ran."""
    return set(re.findall(r"^Running stage '(.+)':$", output, re.MULTILINE))

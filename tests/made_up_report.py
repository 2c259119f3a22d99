"""The report of a made-up project, and every stage before it."""

import sys
from pathlib import Path

import pytest
from made_up import FOCUS, SWEEP, Configuration, Sweep, project

from stages import analyse, attend, compare, describe, evaluate, intervene, params, perturb, render, report

AFTER_SCORES = (analyse, describe, compare, attend, intervene, perturb, render, report)


def reported(folder: Path, sweep: Sweep = SWEEP, focus: Configuration = FOCUS, seeds: int = 2) -> Path:
    """Path of the report written in `folder`."""
    folder.mkdir(exist_ok=True)
    project(folder, sweep, focus, seeds)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for task in params.TASKS:
            patch.setattr(sys, "argv", ["evaluate", "--task", task])
            evaluate.main()
        for stage in AFTER_SCORES:
            stage.main()
    return folder / report.REPORT

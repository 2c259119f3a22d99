"""The report of a made-up project, and every stage before it."""

import sys
from pathlib import Path

import pytest
from made_up import FOCUS, SWEEP, Configuration, Sweep, project

from stages import (
    align_tables,
    describe_tables,
    evaluate,
    intervene,
    map_attention,
    perturb_inputs,
    render,
    report,
    test_differences,
)
from stages.parameters import params

AFTER_SCORES = (
    *(align_tables, describe_tables, test_differences, map_attention),
    *(intervene, perturb_inputs, render, report),
)


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

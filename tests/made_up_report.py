"""The report of a made-up project, and every stage before it."""

from pathlib import Path

from made_up import FOCUS, SWEEP, TASKS, Configuration, Sweep, project

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

AFTER_SCORES = (
    *(align_tables, describe_tables, test_differences, map_attention),
    *(intervene, perturb_inputs, render, report),
)


def reported(folder: Path, sweep: Sweep = SWEEP, focus: Configuration = FOCUS, seeds: int = 2) -> Path:
    """Path of the report written in `folder`."""
    folder.mkdir(exist_ok=True)
    project(folder, sweep, focus, seeds)
    for task in TASKS:
        evaluate.evaluate(folder, task)
    for stage in AFTER_SCORES:
        stage.main(folder)
    return folder / report.REPORT

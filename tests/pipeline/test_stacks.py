"""Cells of one shape trained as one stack."""

from dataclasses import replace
from pathlib import Path

import pytest
from toy_project import CELLS, call, make_toy_project, results

from stages.parameters import params
from stages.pipeline import cluster, run
from stages.pipeline.reproduce import reproduce
from stages.pipeline.stacks import find_stacks, join_commands
from stages.pipeline.working_copy import COPY


def test_cells_stack_that_differ_in_sigma_alone() -> None:
    settings = params.load()
    words = settings.sweep["words"] | {"learned_l2": {"scheme": "learned", "normaliser": "l2"}}
    settings = replace(settings, sweep=settings.sweep | {"words": words})
    commands = {
        name: f"python -m stages.train --task even_tokens --configuration {name}"
        for name in settings.configurations("even_tokens")
    }
    stacks = find_stacks(settings, commands | {"evaluate": "python -m stages.evaluate --task even_tokens"})
    assert stacks.keys() == commands.keys()
    learned = stacks["focus"]
    assert {name for name, stack in stacks.items() if stack == learned} == {
        "focus",
        "learned_s020",
        "learned_s200",
    }
    assert len(set(stacks.values())) == len(stacks) - 2


def test_the_commands_of_a_stack_are_one() -> None:
    commands = ["python -m stages.train --configuration a", "python -m stages.train --configuration b"]
    assert join_commands(commands) == "python -m stages.train --configuration a b"


@pytest.mark.slow
def test_a_stack_leaves_what_its_cells_leave_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    serial = make_toy_project(tmp_path / "serial")
    call(serial, "dvc", "repro")
    project = make_toy_project(tmp_path / "stacked")
    monkeypatch.setattr(cluster, "list_workers", lambda settings: [{"CUDA_VISIBLE_DEVICES": "0"}])
    monkeypatch.setattr(
        run,
        "find_stacks",
        lambda settings, commands: dict.fromkeys((f"dvc.yaml:{name}" for name in CELLS), "cell"),
    )
    assert reproduce(project, [], "here", 1, None)
    assert results(project) == results(serial)
    assert len(list((project / COPY / run.LOGS).iterdir())) == 3  # of five stages

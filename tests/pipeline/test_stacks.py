"""Cells of one shape trained as one stack."""

from pathlib import Path

import pytest
from toy_project import CELLS, call, make_toy_project, results

from stages.pipeline import run, workers
from stages.pipeline.repro import reproduce
from stages.pipeline.stacks import find_stacks, join_commands, read_cells
from stages.pipeline.working_copy import COPY

PE = {"scheme": "learned", "init_std": 0.1}
CELLS_YAML = """
cells:
  grid_focus:
    grid-focus: {task: grid, cell: focus, at: '', configuration: null, scheme: null, data: data/grid}
  grid:
    grid-learned-0_2: {task: grid, cell: learned, at: '0.2', configuration: {scheme: learned, init_std: 0.2},
      scheme: learned, data: data/grid}
"""


def cell(**changes: object) -> dict[str, object]:
    configuration = {"scheme": "learned", "init_std": 0.2}
    return {
        "study": "s",
        "task": "grid",
        "cell": "learned",
        "at": "0.2",
        "configuration": configuration,
    } | changes


def test_cells_stack_that_differ_in_sigma_alone() -> None:
    alike = {
        "usual": cell(),
        "larger": cell(at="1", configuration={"scheme": "learned", "init_std": 1.0}),
        "focus": cell(cell="focus", at="", configuration=None),
    }
    others = {
        "fixed": cell(configuration={"scheme": "random_fixed", "init_std": 0.2}),
        "l2": cell(configuration={"scheme": "learned", "init_std": 0.2, "normaliser": "l2"}),
        "study": cell(study="t"),
        "task": cell(task="network"),
        "data": cell(data="data/other"),
        "set": cell(set={"training.epochs": 2}),
        "seeds": cell(seeds=[0, 1]),
    }
    stacks = find_stacks(alike | others, PE)
    assert len({stacks[name] for name in alike}) == 1 and len(set(stacks.values())) == 1 + len(others)


def test_cells_that_are_not_drawn_anew_do_not_stack() -> None:
    assert find_stacks({"given": cell(start={"tables": "other"}), "kept": cell(trained=False)}, PE) == {}


def test_a_stage_s_command_names_its_cell(tmp_path: Path) -> None:
    (tmp_path / "studies/s").mkdir(parents=True)
    (tmp_path / "studies/s/cells.yaml").write_text(CELLS_YAML)
    commands = {
        f"train@{key}": f"python -m stages.train --study s --cell {key}"
        for key in ("grid-focus", "grid-learned-0_2")
    }
    cells = read_cells(tmp_path, commands | {"score": "python -m stages.score --study s --cell grid-focus"})
    assert cells.keys() == commands.keys() and cells["train@grid-focus"]["study"] == "s"
    assert len(set(find_stacks(cells, PE).values())) == 1


def test_the_commands_of_a_stack_are_one() -> None:
    commands = ["python -m stages.train --study s --cell a", "python -m stages.train --study s --cell b"]
    assert join_commands(commands) == "python -m stages.train --study s --cell a b"


@pytest.mark.slow
def test_a_stack_leaves_what_its_cells_leave_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    serial = make_toy_project(tmp_path / "serial")
    call(serial, "dvc", "repro")
    project = make_toy_project(tmp_path / "stacked")
    monkeypatch.setattr(workers, "list_environments", lambda settings: [{"CUDA_VISIBLE_DEVICES": "0"}])
    stacks = dict.fromkeys((f"dvc.yaml:{name}" for name in CELLS), "cell")
    monkeypatch.setattr(run, "choose_stacks", lambda root, commands: stacks)
    assert reproduce(project, [], None, None, "here", 1)
    assert results(project) == results(serial)
    assert len(list((project / COPY / run.LOGS).iterdir())) == 3  # of five stages

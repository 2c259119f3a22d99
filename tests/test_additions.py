"""What the READMEs tell a reader to write, written as told into a copy of the project, and run there."""

import re
from pathlib import Path

import pandas as pd
import pytest
from changed_params import VALUES, write_params
from commands import call, copy_project

BLOCK = re.compile(r"^```\w+\n(# [^\n]+\n.*?)^```", re.MULTILINE | re.DOTALL)
KEPT = {"space": ["none", "learned_s020"], "network": ["rope"]}  # of the sweep, so that little is trained
ALIGN = """
from pathlib import Path
from stages.align_tables import measure_tables
from stages.files import cells
from stages.parameters import params
from stages.tasks.facts import find_facts
settings, facts = params.load(), find_facts("ring")
stored = cells.read_tables(Path(), "ring", settings.configurations("ring"))
positions = facts.positions(settings, facts.read_data(Path()))
print(*sorted(set(measure_tables(Path(), facts, stored, positions, 0).reference)))
"""
pytestmark = pytest.mark.slow


def add_lines(text: str, where: str, lines: str) -> str:
    """params.yaml with lines behind the key that `where` names, or at the end."""
    if where == "at its end":
        return text + lines
    start = 0
    for depth, key in enumerate(where.removeprefix("under ").split(".")):
        match = re.compile(rf"^{'  ' * depth}{key}:[^\n]*\n", re.MULTILINE).search(text, start)
        assert match, f"params.yaml has no {where}"
        start = match.end()
    return text[:start] + lines + text[start:]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy at scale smoke with a smaller sweep, and what the two READMEs add to it."""
    folder = copy_project(tmp_path_factory.mktemp("additions") / "project")
    sweep = VALUES["sweep"]
    kept = {f"sweep.{group}": {name: sweep[group][name] for name in KEPT[group]} for group in KEPT}
    write_params(folder, kept)
    text = (folder / "params.yaml").read_text()
    (readme,) = re.findall(r"```yaml\n( +nearness: .*?\n)```", (folder / "README.md").read_text())
    text = add_lines(text, "under sweep.network", readme)
    blocks = [
        block
        for page in ("README.md", "stages/tasks/README.md")
        for block in BLOCK.findall((folder / page).read_text())
    ]
    for block in blocks:
        title, content = block[2:].split("\n", 1)
        if title.startswith("params.yaml, "):
            text = add_lines(text, title.removeprefix("params.yaml, "), content)
        elif title.startswith("stages/"):
            (folder / title).parent.mkdir(exist_ok=True)
            (folder / title).write_text(content)
    (folder / "stages/tasks/ring/__init__.py").touch()
    (folder / "params.yaml").write_text(text)
    call(folder, "dvc", "config", "core.no_scm", "true")
    call(folder, "python", "-m", "stages.check_configurations")
    return folder


def test_new_files_pass_the_linter(project: Path) -> None:
    files = ["stages/encodings/nearness.py", "stages/tasks/ring"]
    call(project, "ruff", "check", *files)
    call(project, "ruff", "format", "--check", *files)


def test_dvc_knows_their_stages(project: Path) -> None:
    listed = call(project, "dvc", "stage", "list", "--all", "--name-only").split()
    ring = "stages/tasks/ring/dvc.yaml"
    names = ("simulate", "train_pe@focus", "train@none", "evaluate")
    assert {f"{ring}:{name}" for name in names} <= set(listed)
    assert "stages/tasks/network/dvc.yaml:train@nearness" in listed


def test_an_encoding_is_one_file_and_one_line(project: Path) -> None:
    call(project, "python", "-m", "stages.tasks.network.simulate")
    call(project, "python", "-m", "stages.train", "--task", "network", "--configuration", "nearness")
    cell = project / "data/models/network/nearness"
    assert (cell / "weights.safetensors").is_file() and not (cell / "tables.npz").exists()


def test_a_task_is_one_folder_and_lines_of_parameters(project: Path) -> None:
    call(project, "python", "-m", "stages.tasks.ring.simulate")
    for name in ("focus", "none", "learned_s020"):
        call(project, "python", "-m", "stages.train", "--task", "ring", "--configuration", name)
    call(project, "python", "-m", "stages.evaluate", "--task", "ring")
    scores = pd.read_csv(project / "data/scores/ring.csv").query("split == 'validation' and metric == 'mse'")
    means = scores.groupby("encoding").value.mean()
    assert {"focus", "none", "learned_s020"} < set(means.index)
    assert means["floor_gaussian"] < 0.9 * means["floor_zero"], "neighbours say nothing of each other"
    assert "graph_distance" in call(project, "python", "-c", ALIGN).split()

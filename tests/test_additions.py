"""What the READMEs tell a reader to write, written as told into a copy of the project, and run there."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
import yaml

ROOT = Path(__file__).parents[1]
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


def call(folder: Path, *command: str) -> str:
    """Standard output of a command in `folder`, this Python first on the path; it must succeed."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = os.environ | {"PATH": path, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(folder)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout


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
    folder = tmp_path_factory.mktemp("additions") / "project"
    files = call(ROOT, "git", "ls-files", "-z", "-co", "--exclude-standard")
    for name in filter(None, files.split("\0")):
        if (ROOT / name).is_file() and not name.endswith("dvc.lock"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    values = yaml.safe_load((folder / "params.yaml").read_text()) | {"scale": "smoke"}
    for group, names in KEPT.items():
        values["sweep"][group] = {name: values["sweep"][group][name] for name in names}
    text = yaml.safe_dump(values, sort_keys=False)
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

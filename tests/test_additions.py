"""A reader's additions work as the READMEs tell: they are written into a copy of the project, and run."""

import re
from pathlib import Path

import pytest
from changed_params import write_yaml
from commands import call, copy_project, leave_out_studies

from stages.studies.tables import read_table

BLOCK = re.compile(r"^```\w+\n(# [^\n]+\n.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = ("stages/core/encodings/README.md", "stages/tasks/README.md", "studies/README.md")
STEPS = """
from stages.kernels import configure; configure()
from pathlib import Path
from stages.conclude import conclude
from stages.score import score
from stages.train import train
train(Path(), "focus")
for study in ("heads", "ring"):
    for step in (train, score, conclude):
        step(Path(), study)
"""
pytestmark = pytest.mark.slow


def add_lines(text: str, where: str, lines: str) -> str:
    """Add lines to params.yaml behind the key that `where` names, or at the end."""
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
    """Copy the project at scale smoke with what the READMEs add to it."""
    folder = copy_project(tmp_path_factory.mktemp("additions") / "project")
    leave_out_studies(folder, "sigma")
    text = re.sub(r"(?m)^scale: \w+", "scale: smoke", (folder / "params.yaml").read_text())
    for block in [block for page in PAGES for block in BLOCK.findall((folder / page).read_text())]:
        title, content = block[2:].split("\n", 1)
        if title.startswith("params.yaml, "):
            # in the checkout they may stand already
            text = text if content in text else add_lines(text, title.removeprefix("params.yaml, "), content)
        else:
            (folder / title).parent.mkdir(exist_ok=True)
            (folder / title).write_text(content)
    (folder / "stages/tasks/ring/__init__.py").touch()
    said = re.search(r"`dvc exp run -S pe\.(scheme)=(\w+)`", (folder / PAGES[0]).read_text())
    assert said
    text, changed = re.subn(r"(?m)^pe:\n  scheme: \w+", f"pe:\n  {said[1]}: {said[2]}", text)
    assert changed == 1
    (folder / "params.yaml").write_text(text)
    call(folder, "dvc", "config", "core.no_scm", "true")
    study = {"question": "?", "tasks": ["network"], "focus": True, "figure": {"kind": "rows"}}
    write_yaml(folder / "studies/focus.yaml", study)
    return folder


@pytest.fixture(scope="module")
def studies(project: Path) -> Path:
    """Report the added studies by running steps in one process, since torch takes seconds to load."""
    call(project, "python", "-c", STEPS)
    return project / "reports/studies"


def test_new_files_pass_the_linter(project: Path) -> None:
    files = [
        *(f"stages/core/encodings/{name}.py" for name in ("nearness", "trained_nearness")),
        "stages/tasks/ring",
    ]
    call(project, "ruff", "check", *files)
    call(project, "ruff", "format", "--check", *files)


def test_an_encoding_is_one_file(project: Path, studies: Path) -> None:
    made = project / "data/studies/focus/cells/network-focus"
    assert (made / "weights.safetensors").is_file() and not (made / "tables.npz").exists()


def test_a_question_is_one_file(studies: Path) -> None:
    differences = read_table(studies / "heads/differences.csv")
    pairs = set(zip(differences.a_at, differences.b, differences.b_at, strict=True))
    assert pairs == {("0.2", "learned", "0.02"), ("0.2", "learned", "2")}
    assert (studies / "heads/page.html").is_file()


def test_a_task_is_one_folder_and_lines_of_parameters(studies: Path) -> None:
    scores = read_table(studies / "ring/scores.csv")
    errors = scores.query("split == 'validation' and metric == 'mse'").groupby("cell").value.mean()
    assert {"none", "learned"} < set(errors.index)
    assert errors["floor_gaussian"] < 0.9 * errors["floor_zero"], "neighbours say nothing of each other"
    assert {"alignment", "alignment_graph_distance"} <= set(scores.metric)
    assert (studies / "ring/page.html").is_file()

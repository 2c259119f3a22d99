"""Messages about a file that somebody just wrote, and the list of files that there are."""

import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from small_studies import write_study

import stages.tasks
from stages.parameters import params
from stages.parameters.own_files import list_visible
from stages.studies.planning.plan import plan_study
from stages.studies.schema import list_studies
from stages.tasks import facts
from stages.tasks.facts import find_facts
from stages.tasks.scoring.interface import find_scoring

HEAD = """
    from stages.tasks.bases.shared_facts import WordFacts


    class Maze(WordFacts):
"""


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Make the folder of a task `maze`, next to those of all others."""
    monkeypatch.setattr(stages.tasks, "__path__", [*stages.tasks.__path__, str(tmp_path)])
    known = [*params.task_names(), "maze"]
    monkeypatch.setattr(params, "task_names", lambda: known)
    monkeypatch.setattr(facts, "FOLDER", tmp_path)
    (tmp_path / "maze").mkdir()
    yield tmp_path / "maze"
    find_facts.cache_clear()
    for name in [name for name in sys.modules if name.startswith("stages.tasks.maze")]:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("class Maze(:\n", "facts.py, line 1: invalid syntax; mend that line"),
        ("x = 1", "stages/tasks/maze/facts.py: no FACTS; add it, as in stages/tasks/network/facts.py"),
        (
            "FACTS = 1",
            "stages/tasks/maze/facts.py: FACTS is 1, expected an object of a subclass of TaskFacts",
        ),
        (
            "import nowhere",
            "stages/tasks/maze/facts.py, line 1: ModuleNotFoundError: No module named 'nowhere'",
        ),
        (f"{HEAD}        name = 'maze'\n    FACTS = Maze()", "facts.py: its class has no title; add it"),
        (
            f"{HEAD}        name = 'lab'\n        title = 'Lab'\n    FACTS = Maze()",
            "name 'lab' given, expected",
        ),
        (f"{HEAD}        pass\n    FACTS = Maze(1)", "maze/facts.py, line 7: TypeError: Maze() takes no arg"),
    ],
)
def test_a_mistaken_task_is_one_line(folder: Path, text: str, message: str) -> None:
    (folder / "facts.py").write_text(dedent(text), encoding="utf-8")
    with pytest.raises(ValueError) as error:
        find_facts("maze")
    assert message in str(error.value) and "\n" not in str(error.value)


def test_so_is_its_scoring_before_anything_is_trained(folder: Path, tmp_path: Path) -> None:
    text = f"{HEAD}        name = title = 'maze'\n    FACTS = Maze()"
    (folder / "facts.py").write_text(dedent(text), encoding="utf-8")
    (folder / "task.py").write_text("def load(settings, data, device): ...\n", encoding="utf-8")
    (folder / "scoring.py").write_text("SCORING = 1 +\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"scoring.py, line 1: invalid syntax; mend that line$"):
        find_scoring("maze")
    size: Any = {"tokens": 4, "vocabulary": 2, "train_sequences": 1, "test_sequences": 1}
    write_study(tmp_path, {"scales.smoke.maze.data": size}, tasks=["maze"])
    with pytest.raises(ValueError, match=r"scoring.py, line 1: invalid syntax"):
        plan_study(tmp_path, "own")


def test_hidden_files_of_editors_and_of_macos_are_none(tmp_path: Path) -> None:
    for name in ("studies/a.yaml", "studies/._a.yaml", "studies/a.yaml~", "studies/.a.yaml.swp"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "studies/.#b.yaml").symlink_to("somebody@nowhere.1")  # as emacs locks b.yaml
    assert list_studies(tmp_path) == ["a"]
    for name in ("grid/facts.py", ".ipynb_checkpoints/facts.py", "._grid/facts.py"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).touch()
    assert list_visible(tmp_path, "*/facts.py") == [tmp_path / "grid/facts.py"]

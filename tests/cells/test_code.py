"""A cell depends on all code that runs, and on what of its text runs."""

import ast
import io
import pickle
import subprocess
import sys
from collections.abc import Container
from pathlib import Path
from tokenize import COMMENT, DEDENT, INDENT, NEWLINE, NL, generate_tokens

import pytest
from changed_params import ROOT, change_settings
from small_studies import cells_of

from stages.cells import code
from stages.cells.code import digest_file, find_code, list_libraries, strip
from stages.cells.keys import key_of_cell
from stages.files.artifacts import read_arrays
from stages.tasks.network.simulate import make

SOURCE = '''"""What the module is."""

import math  # for pi

TEXT = """two

lines  """


class Circle:
    """A circle."""

    def area(self, r: float) -> float:
        # the usual formula
        """Of a radius."""
        "this does nothing either"
        return math.pi * r**2
'''
LAYOUT = {COMMENT, NL, NEWLINE, INDENT, DEDENT}
SPOKEN = '''import math
TEXT = """two

lines  """
class Circle:
    def area(self, r: float) -> float:
        return math.pi * r**2'''
TRAIN = """
import pickle, sys
from pathlib import Path
cell, data = pickle.loads(Path("cell.pickle").read_bytes())
from stages.cells.make_cell import Place, make_cell
make_cell(cell, data, Place(*map(Path, ("donors", "checkpoint", "progress", "kernels")), ""), Path("made"))
files = {getattr(module, "__file__", None) for module in sys.modules.values()} - {None}
print(*sorted(file for file in files if "/stages/" in file), sep="\\n")
"""


def test_what_runs_is_left_as_it_is_written() -> None:
    assert strip(SOURCE) == SPOKEN
    assert strip("# alone\n") == strip("") == strip('"""alone"""') == ""


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("# the usual formula", "# Archimedes", True),
        ('"""A circle."""', '"""A round thing,\n\n    seen from above # so."""', True),
        ("\n\n\nclass", "\nclass", True),
        ("r**2", "r**3", False),
        ("lines  ", "lines ", False),
        ("two\n\n", "two\n", False),
        ("        return", "    return", False),
    ],
)
def test_a_digest_changes_with_what_runs_alone(old: str, new: str, same: bool, tmp_path: Path) -> None:
    before, after = tmp_path / "before.py", tmp_path / "after.py"
    before.write_text(SOURCE)
    after.write_text(SOURCE.replace(old, new))
    assert old in SOURCE and (digest_file(before) == digest_file(after)) == same


def words(source: str, left_out: Container[tuple[int, int]] = ()) -> list[str]:
    """List what Python reads, without layout and without strings that begin in these places."""
    tokens = generate_tokens(io.StringIO(source).readline)
    return [one.string for one in tokens if one.type not in LAYOUT and one.start not in left_out]


def test_nothing_else_is_lost_of_any_module() -> None:
    for path in (ROOT / "stages").rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        alone = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Expr)]
        texts = [one for one in alone if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        assert words(strip(source)) == words(source, {(one.lineno, one.col_offset) for one in texts}), path


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("from stages.core.encodings.helper import distance", "helper.py"),
        ("from stages.core.encodings import helper", "helper.py"),
        ("from .helper import distance", "helper.py"),
        ("from . import helper", "helper.py"),
        ("from ..encodings.parts import helper", "parts/helper.py"),
        ("import stages.core.encodings.parts.helper as helper", "parts/helper.py"),
        ("def late():\n    from .parts import helper", "parts/helper.py"),
    ],
)
def test_the_code_behind_a_module_is_all_that_it_imports_however_far(
    line: str, path: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(code, "ROOT", tmp_path)
    folder = tmp_path / "stages/core/encodings"
    (folder / "parts").mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder / "mine.py").write_text(f"{line}\nimport numpy.linalg\n")
    (folder / path).write_text(
        "from stages.core.encodings.deeper import far\nfrom stages.core.encodings import mine\n"
    )
    (folder / "deeper.py").touch()
    (folder / "other.py").touch()
    found = find_code("stages.core.encodings.mine")
    assert found == {folder / name for name in ("__init__.py", "mine.py", path, "deeper.py")}
    assert list_libraries(found) == {"numpy"}


@pytest.mark.parametrize(("task", "scheme"), [("probe", "rope"), ("network", "laplacian")])
def test_whatever_training_imports_is_in_the_key(task: str, scheme: str, tmp_path: Path) -> None:
    (cell,) = cells_of(tasks=[task], cells={"one": {"scheme": scheme}}).values()
    (tmp_path / "data").mkdir()
    if task == "network":
        make(change_settings({}), tmp_path, tmp_path / "data")
    data = read_arrays(tmp_path / "data")
    (tmp_path / "cell.pickle").write_bytes(pickle.dumps((cell, data)))
    (tmp_path / "made").mkdir()
    command, variables = [sys.executable, "-c", TRAIN], {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=variables, capture_output=True, text=True)
    assert done.returncode == 0 and (tmp_path / "made/weights.safetensors").exists(), done.stderr
    imported = {str(Path(line).relative_to(ROOT)) for line in done.stdout.splitlines()}
    assert {f"stages/core/encodings/{scheme}.py", f"stages/tasks/{task}/task.py"} <= imported
    assert imported | {"stages/kernels.py"} <= key_of_cell(cell, {}, {})["code"].keys()

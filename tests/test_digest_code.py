"""What of the code a trained cell depends on: all that runs, and nothing else."""

import ast
import io
from collections.abc import Container
from pathlib import Path
from tokenize import COMMENT, DEDENT, INDENT, NEWLINE, NL, generate_tokens

import pytest

import stages
from stages.digest_code import digest_group, strip
from stages.studies import code

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
    file = tmp_path / "stages/one.py"
    file.parent.mkdir()
    file.write_text(SOURCE)
    before = digest_group(tmp_path, ["stages"])
    assert before.endswith("  stages/one.py\n") and old in SOURCE
    file.write_text(SOURCE.replace(old, new))
    assert (digest_group(tmp_path, ["stages"]) == before) == same


def words(source: str, left_out: Container[tuple[int, int]] = ()) -> list[str]:
    """What Python reads, without layout and without strings that begin in these places."""
    tokens = generate_tokens(io.StringIO(source).readline)
    return [one.string for one in tokens if one.type not in LAYOUT and one.start not in left_out]


def test_nothing_else_is_lost_of_any_module() -> None:
    for path in Path(stages.__path__[0]).rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        alone = [node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Expr)]
        texts = [one for one in alone if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        assert words(strip(source)) == words(source, {(one.lineno, one.col_offset) for one in texts}), path


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("from stages.encodings.helper import distance", "helper.py"),
        ("from stages.encodings import helper", "helper.py"),
        ("from .helper import distance", "helper.py"),
        ("import stages.encodings.parts.helper as helper", "parts/helper.py"),
    ],
)
def test_a_scheme_s_digest_holds_what_it_imports_beside_it(
    line: str, path: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(code, "CODE", tmp_path)
    folder = tmp_path / "stages/encodings"
    (folder / "parts").mkdir(parents=True)
    (folder / "mine.py").write_text(f"from stages.encodings.interface import Host\n{line}\nimport numpy\n")
    (folder / path).write_text("from stages.encodings.deeper import far\nfrom stages.encodings import mine\n")
    (folder / "deeper.py").touch()
    expected = [f"stages/encodings/{name}" for name in ("mine.py", path, "deeper.py")]
    assert sorted(code.scheme_files("mine")) == sorted(expected)

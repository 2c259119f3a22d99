"""Find and digest the code behind a module: each file of the project that it imports, however far.

A comment, a docstring or a blank line changes no digest.
"""

import ast
import io
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from time import time
from tokenize import COMMENT, DEDENT, INDENT, NEWLINE, NL, STRING, TokenInfo, generate_tokens

from stages.parameters.errors import InputError

ROOT = Path(__file__).parents[2]
BEFORE_A_STATEMENT = {NEWLINE, INDENT, DEDENT}


def digest_code(*modules: str) -> dict[str, str]:
    """Digest every file behind these modules, by its path in the project."""
    files = find_code(*modules)
    return {str(file.relative_to(ROOT)): digest_file(file) for file in sorted(files)}


def find_code(*modules: str) -> set[Path]:
    """Find the files of these modules and of all that they import, directly or through others.

    ASSUME that a module which is imported by a name made at run time is given as one of `modules`.
    """
    found: set[Path] = set()
    left = {file for module in modules for file in find_files(module)}
    while left:
        path = left.pop()
        found.add(path)
        left |= {file for name in list_imports(path) for file in find_files(name)} - found
    return found


def find_files(module: str) -> list[Path]:
    """Find a module's file of the project and those of the packages around it; none of a library."""
    parts = module.split(".")
    packages = [ROOT.joinpath(*parts[:length], "__init__.py") for length in range(1, len(parts) + 1)]
    return [path for path in [*packages, ROOT.joinpath(*parts).with_suffix(".py")] if path.is_file()]


@cache
def list_imports(path: Path) -> frozenset[str]:
    """List the modules that the import statements of a file may mean, wherever these stand."""
    package = path.relative_to(ROOT).parts[:-1]
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*above, *([node.module] if node.module else [])])
            names |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
    return frozenset(names)


def list_libraries(files: Iterable[Path]) -> set[str]:
    """List the packages, of Python or of others, that files of the project import."""
    top = {name.partition(".")[0] for file in files for name in list_imports(file)}
    return {name for name in top if not (ROOT / name).exists()}


@cache
def digest_file(path: Path) -> str:
    """Digest what a file of Python does."""
    return sha256(strip(path.read_text(encoding="utf-8")).encode()).hexdigest()


def refuse_edited(code: Mapping[str, str]) -> None:
    """Raise InputError where a file is not as in a key, whose digests another process found."""
    for file, digest in code.items():
        if digest_file(ROOT / file) != digest:
            raise InputError(f"{file} was edited during the run; run again, what is finished is kept")


def refuse_edited_since(start: float, code: Iterable[str]) -> None:
    """Raise InputError where a file was written after a time, when it was perhaps loaded already.

    A time yet to come, which a file of an unpacked archive may have, is that of no edit.
    """
    for file in code:
        if start < (ROOT / file).stat().st_mtime <= time():
            raise InputError(f"{file} was edited while the run started; run again")


def strip(source: str) -> str:
    """Remove comments, docstrings and blank lines from Python; all else stays as written, on any Python."""
    lines = source.split("\n")
    tokens = list(generate_tokens(io.StringIO(source).readline))
    spoken = [token for token in tokens if token.type not in (NL, COMMENT)]
    dropped = [token for token in tokens if token.type == COMMENT] + list(find_docstrings(spoken))
    for (row, column), (last, end) in sorted((token.start, token.end) for token in dropped)[::-1]:
        lines[row - 1 : last] = [lines[row - 1][:column] + lines[last - 1][end:], *[""] * (last - row)]
    gone = {token.start for token in dropped}
    long = [token for token in spoken if token.start not in gone and token.start[0] < token.end[0]]
    inside = {row for token in long for row in range(token.start[0], token.end[0] + 1)}
    written = [
        line if row in inside else line.rstrip()
        for row, line in enumerate(lines, 1)
        if row in inside or line.strip()
    ]
    return "\n".join(written)


def find_docstrings(tokens: list[TokenInfo]) -> Iterator[TokenInfo]:
    """Find strings that are a statement of their own, which does nothing."""
    for before, token, after in zip([None, *tokens], tokens, tokens[1:], strict=False):
        alone = before is None or before.type in BEFORE_A_STATEMENT
        if token.type == STRING and alone and after.type == NEWLINE:
            yield token

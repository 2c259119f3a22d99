"""Find and digest the code behind a module, each file of the project that it imports, and name its libraries.

A comment, a docstring or a blank line changes no digest.
"""

import ast
import io
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.metadata import packages_distributions
from pathlib import Path
from tokenize import COMMENT, DEDENT, INDENT, NEWLINE, NL, STRING, TokenInfo, generate_tokens
from typing import Any

from stages.core.settings.errors import InputError

ROOT = Path(__file__).parents[2]
LOCK = ROOT / "stages/requirements.lock"
CALLED = {"sklearn": "scikit-learn", "yaml": "pyyaml", "ruamel": "ruamel.yaml"}  # in LOCK
# when each file was saved last, as of before this process loads most of them
SAVED = {path: path.stat().st_mtime_ns for path in (ROOT / "stages").rglob("*.py")}
EDITED = "{} was edited during the run; run again, what is finished is kept"
BEFORE_A_STATEMENT = {NEWLINE, INDENT, DEDENT}


@cache
def describe_code(*modules: str) -> dict[str, Any]:
    """Digest the code behind modules and of their kernels, and name the versions of what it imports."""
    return {"code": digest_code("stages.kernels", *modules), "versions": list_versions(*modules)}


def list_versions(*modules: str) -> dict[str, str]:
    """List the versions that the lock has of every library behind modules.

    Raises InputError for a library that it lacks: no key would name it.
    """
    named = re.findall(r"^([\w.-]+)==(\S+)", LOCK.read_text(encoding="utf-8"), re.MULTILINE)
    locked = {name.lower(): version for name, version in named}
    found = {}
    for library in sorted(list_libraries(find_code(*modules)) - sys.stdlib_module_names):
        called = [CALLED.get(library, library), library.replace("_", "-")]
        if not any(name in locked for name in called):
            called = [name.lower() for name in packages_distributions().get(library, [])]
        name = next((name for name in called if name in locked), None)
        if name is None:
            importer, lock = find_importer(library, *modules), LOCK.relative_to(ROOT)
            raise InputError(
                f"{importer} imports {library}, which {lock} lacks, so that no key names its version; add it "
                "there and in pyproject.toml, or do without it"
            )
        found[name] = locked[name]
    return dict(sorted(found.items()))


def find_importer(library: str, *modules: str) -> Path:
    """Find a file behind modules that imports a library."""
    files = sorted(find_code(*modules))
    return next(file.relative_to(ROOT) for file in files if library in list_libraries([file]))


def digest_code(*modules: str) -> dict[str, str]:
    """Digest every file behind these modules, by its path in the project."""
    files = find_code(*modules)
    return {str(file.relative_to(ROOT)): digest_file(file) for file in sorted(files)}


def load_code(digests: Mapping[str, str]) -> None:
    """Load files of the project and digest them after that. Raises InputError where one has another digest.

    A process loads and digests a file once: what it runs is what it digested, whatever is edited later.
    """
    try:
        for path in digests:
            import_module(".".join(Path(path).with_suffix("").parts).removesuffix(".__init__"))
    finally:  # also where an edit is why it does not load
        for path, digest in digests.items():
            if digest_file(ROOT / path) != digest:
                raise InputError(EDITED.format(path))


def find_code(*modules: str) -> set[Path]:
    """Find the files of these modules and of all that they import, directly or through others.

    ASSUME that a module which is imported by a name made at run time is given as one of `modules`.
    """
    found: set[Path] = set()
    left = {file for module in modules for file in find_files(ROOT, module)}
    while left:
        path = left.pop()
        found.add(path)
        left |= {file for name in list_imports(path) for file in find_files(ROOT, name)} - found
    return found


@cache
def find_files(root: Path, module: str) -> tuple[Path, ...]:
    """Find a module's file of the project and those of the packages around it; none of a library."""
    parts = module.split(".")
    packages = [root.joinpath(*parts[:length], "__init__.py") for length in range(1, len(parts) + 1)]
    return tuple(path for path in [*packages, root.joinpath(*parts).with_suffix(".py")] if path.is_file())


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
    return {name for name in top if not (ROOT / name).exists() and not find_files(ROOT, name)}


@cache
def digest_file(path: Path) -> str:
    """Digest what a file of Python does. Raises InputError if it was saved after this process began."""
    check_unedited(path)
    return sha256(strip(path.read_text(encoding="utf-8")).encode()).hexdigest()


def check_unedited(path: Path) -> None:
    """Raise InputError for a file that was saved after this process began."""
    saved = path.stat().st_mtime_ns
    if SAVED.get(path, saved) != saved:
        raise InputError(EDITED.format(path.relative_to(ROOT)))


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

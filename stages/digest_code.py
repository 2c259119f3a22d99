"""Digests of the code that a study's cells are trained and scored with: data/studies/<study>/code/.

dvc compares these in place of the code itself. So a comment, a docstring or a blank line trains nothing
again, and each cell names a few files in place of twenty.
"""

import argparse
import io
from hashlib import sha256
from pathlib import Path
from tokenize import COMMENT, DEDENT, INDENT, NEWLINE, NL, STRING, TokenInfo, generate_tokens

from stages.files.artifacts import write_atomically, write_bytes
from stages.parameters.own_files import list_visible
from stages.running.command import run
from stages.studies.cells import read_cells
from stages.studies.code import digest_folder, list_groups

BEFORE_A_STATEMENT = {NEWLINE, INDENT, DEDENT}


def digest_group(root: Path, paths: list[str]) -> str:
    """A line for each file of the paths: the digest of what it says, and its path."""
    files = [file for path in paths for file in list_files(root, path)]
    return "".join(f"{digest(root / file)}  {file}\n" for file in sorted(set(files)))


def list_files(root: Path, path: str) -> list[str]:
    """The file itself, or all modules of a folder."""
    if (root / path).is_dir():
        return [str(file.relative_to(root)) for file in list_visible(root / path, "**/*.py")]
    return [path]


def digest(file: Path) -> str:
    """SHA-256 of a file, of Python without what changes no result."""
    text = file.read_text(encoding="utf-8")
    return sha256((strip(text) if file.suffix == ".py" else text).encode()).hexdigest()


def strip(source: str) -> str:
    """Python without comments, docstrings and blank lines; all else as it is written, on any Python."""
    lines = source.split("\n")
    tokens = list(generate_tokens(io.StringIO(source).readline))
    spoken = [token for token in tokens if token.type not in (NL, COMMENT)]
    dropped = [token for token in tokens if token.type == COMMENT] + find_docstrings(spoken)
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


def find_docstrings(tokens: list[TokenInfo]) -> list[TokenInfo]:
    """Strings that are a statement of their own, which does nothing."""
    return [
        token
        for before, token, after in zip([None, *tokens], tokens, tokens[1:], strict=False)
        if token.type == STRING
        and (before is None or before.type in BEFORE_A_STATEMENT)
        and after.type == NEWLINE
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--study", required=True, help="a file of studies/")
    study = parser.parse_args().study
    with write_atomically(digest_folder(study)) as beside:
        for name, paths in list_groups(read_cells(Path(), study)["cells"]).items():
            write_bytes(beside / f"{name}.txt", digest_group(Path(), paths).encode())


if __name__ == "__main__":
    run(main)

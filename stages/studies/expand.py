"""Write what a study expands to, studies/<study>/cells.yaml and dvc.yaml; all studies if none is named."""

import argparse
from pathlib import Path

from stages.files.artifacts import write_bytes
from stages.parameters.yaml_text import parse
from stages.running.command import run
from stages.studies.cells import CELLS, STUDIES
from stages.studies.check_cells import check_cells
from stages.studies.rendering import render
from stages.studies.schema import list_studies


def expand(root: Path, name: str, scale: str | None = None) -> None:
    """Check the study and every cell of it, at a scale or that of params.yaml, and write its files."""
    files = render(root, name)
    check_cells(root, name, parse(files[CELLS]), scale)
    for file, text in files.items():
        path = root / STUDIES / name / file
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            write_bytes(path, text.encode())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="files of studies/ without .yaml")
    for name in parser.parse_args().names or list_studies(Path()):
        expand(Path(), name)


if __name__ == "__main__":
    run(main)

"""What `make` does before it starts dvc: check params.yaml and the checkout, mend what a killed dvc left.

A scale given is written to params.yaml, so that it and the results agree.
"""

import re
from argparse import ArgumentParser
from pathlib import Path

from stages.files.artifacts import write_atomically
from stages.parameters import params
from stages.pipeline.mend import mend
from stages.running.command import run
from stages.running.repository import open_repo


def set_scale(path: Path, scale: str) -> None:
    """Write the scale into params.yaml; ValueError, and the file as it was, if it is not known there."""
    if not re.fullmatch(r"\w+", scale):
        raise ValueError(f"SCALE '{scale}' given, expected a word; the scales are in {path}")
    text = re.sub(r"(?m)^scale:[^\n#]*?(?=\s*(#|$))", f"scale: {scale}", path.read_text(encoding="utf-8"))
    with write_atomically(path) as beside:
        beside.write_text(text, encoding="utf-8")
        params.load(beside)


def prepare(root: Path, scale: str | None) -> None:
    """Raises ValueError, one line, where params.yaml or the checkout is not fit to run."""
    if scale:
        set_scale(root / params.FILE, scale)
    params.load(root / params.FILE)
    with open_repo(root):  # refused in one line here, where dvc itself does not say the cure
        pass
    for line in mend(root):
        print(line)


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--scale", help="smoke, small, paper, or another of params.yaml")
    prepare(Path(), parser.parse_args().scale)


if __name__ == "__main__":
    run(main)

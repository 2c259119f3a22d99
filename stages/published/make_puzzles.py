"""The puzzles of the published size, whatever the scale: data/published/puzzles.npz."""

from pathlib import Path

from stages.parameters import params
from stages.published.settings import PUZZLES, at_published_size
from stages.running.command import run
from stages.tasks.grid.generate import write_puzzles


def main(root: Path = Path()) -> None:
    write_puzzles(at_published_size(params.load(root / params.FILE)), root, root / PUZZLES)


if __name__ == "__main__":
    run(main)

from pathlib import Path

import numpy as np
import pytest
from changed_params import ROOT, write_params

from stages.tasks.grid.puzzle_files import read_puzzles
from stages.tasks.grid.puzzles import find_least_distances
from stages.variations import make_line_puzzles


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("lines")
    sizes = {"puzzles_per_complexity": 50, "validation_per_complexity": 12}
    write_params(root, {"scales.smoke.grid.data": sizes})
    (root / "data").mkdir()
    (root / "data/reference").symlink_to(ROOT / "data/reference")
    make_line_puzzles.main(root)
    return root / make_line_puzzles.FOLDER


@pytest.mark.parametrize("line", ["rows", "columns"])
def test_the_target_s_line_gives_every_other_symbol(folder: Path, line: str) -> None:
    train, validation = (read_puzzles(folder / f"{line}_{name}.csv", 4) for name in ("train", "validation"))
    assert (len(train.puzzles), len(validation.puzzles)) == (100, 24)
    other_line_too = []
    for puzzle, answer in zip(train.puzzles, train.answers, strict=True):
        square = puzzle.reshape(4, 4) if line == "rows" else puzzle.reshape(4, 4).T
        row, column = np.argwhere(square == 5)[0]
        assert sorted(square[row]) == sorted({1, 2, 3, 4} - {int(answer)} | {5})
        other_line_too.append(set(square[:, column]) >= {1, 2, 3, 4} - {int(answer)})
    assert np.mean(other_line_too) < 0.5
    assert find_least_distances(train.puzzles, validation.puzzles).min() > 0.8

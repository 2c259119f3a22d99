"""Lines held out of training: how many, what decides a puzzle, and that none is left in training."""

from pathlib import Path

import numpy as np
import pytest
from made_puzzles import generate_puzzles

from stages.tasks.grid.held_out_lines import draw_lines, find_barred, find_deciding, find_new, find_seen

ROW_DECIDES = [1, 2, 5, 3, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0]
BOTH_DECIDE = [1, 2, 5, 3, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 2, 0]
NO_LINE_DECIDES = [1, 2, 5, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0]
PUZZLES = np.array([ROW_DECIDES, BOTH_DECIDE, NO_LINE_DECIDES], np.uint8)


@pytest.mark.parametrize(("share", "lost"), [(0.25, 8), (0.5, 16)])
def test_a_cell_loses_one_line_at_the_most_and_rows_as_often_as_columns(share: float, lost: int) -> None:
    held_out = draw_lines(4, share, np.random.default_rng(0))
    assert held_out.sum(axis=0).tolist() == [lost / 2, lost / 2] and held_out.sum(axis=1).max() == 1


def test_what_decides_and_when_it_is_new() -> None:
    assert find_deciding(PUZZLES).tolist() == [[True, False], [True, True], [False, False]]
    for line, seen, new in (
        (0, [False, False, False], [True, False, False]),
        (1, [True, False, False], [False, False, False]),
    ):
        held_out = np.zeros((16, 2), np.bool_)
        held_out[2, line] = True
        assert find_seen(PUZZLES, held_out).tolist() == seen
        assert find_new(PUZZLES, held_out).tolist() == new
        assert not find_barred(PUZZLES, held_out)[2]  # training keeps what no line decides


def test_training_has_as_many_puzzles_and_none_that_a_held_out_line_decides(tmp_path: Path) -> None:
    arrays = generate_puzzles(tmp_path, protocol="lines", held_out=0.5)
    held_out = arrays["held_out"]
    for split in ("train", "test"):
        assert find_seen(arrays[f"{split}_puzzles"], held_out).all()
    assert len(arrays["train_puzzles"]) == pytest.approx(360, rel=0.2)
    validation = arrays["validation_puzzles"]
    assert find_new(validation, held_out).sum() == pytest.approx(len(validation) / 2, rel=0.5)
    assert set(arrays["train_puzzles"].argmax(axis=1)) == set(range(16))

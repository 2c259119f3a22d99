"""A researcher's own puzzle files (CSV), every row checked."""

from math import isqrt
from pathlib import Path

import numpy as np

from stages.core.settings.errors import InputError
from stages.files.csv_lines import read_named
from stages.files.pointers import refuse_pointer
from stages.tasks.grid.facts import COMPLEXITIES
from stages.tasks.grid.puzzle_solver import Cells, possible_answers
from stages.tasks.grid.puzzles import PuzzleSet

COLUMNS = ("ID", "LST_num", "condition", "puzzles", "solutions")
CONDITIONS = {name.capitalize(): complexity for name, complexity in COMPLEXITIES.items()}


def read_puzzles(path: Path, order: int) -> PuzzleSet:
    """Read puzzles of a CSV file, in the file's order.

    Columns are ID, LST_num, condition, puzzles, solutions.

    condition: begins with Binary, Ternary or Quaternary (as in Binary_Step1), kept as the complexity, as the
    file's authors judged it.

    puzzles: n*n digits row by row, 0 blank, 1..n given, n + 1 the one target.

    solutions: the target's symbol, or the n*n digits of the whole solved square.

    Raises InputError with file, ID and cure unless the stated answer is the only one of its puzzle, and its
    complexity the only one.
    """
    refuse_pointer(path)
    if not path.is_file():
        raise InputError(
            f"{path} not found; correct grid.puzzles, or empty both its lists for generated puzzles"
        )
    table = read_named(path, COLUMNS)
    if table.empty:
        raise InputError(f"{path}: no puzzle in the file, expected one per row; add some")
    rows = []
    known: dict[str, int] = {}
    for row in table.to_dict("records"):
        try:
            puzzle = _read_puzzle(row["puzzles"], order)
            complexity = _read_complexity(row["condition"])
            if known.setdefault(row["puzzles"], complexity) != complexity:
                raise InputError(
                    f"condition '{row['condition']}' of a puzzle that has another one in an earlier row, "
                    "expected one, since each complexity is scored; correct one, or leave a row out"
                )
            rows.append((puzzle, _read_answer(row["solutions"], puzzle), complexity))
        except InputError as error:
            raise InputError(f"{path}: ID {row['ID']}: {error}") from None
    names = table.drop_duplicates(["ID", "LST_num", "puzzles"])[["ID", "LST_num"]]
    if (twice := names.duplicated()).any():
        named = ", ".join(names[twice].iloc[0])
        print(
            f"{path}: ID and LST_num {named} name two puzzles ({twice.sum()} such rows); where one is a copy "
            "that was altered, leave it out"
        )
    return PuzzleSet(*(np.array(column, np.uint8) for column in zip(*rows, strict=True)))


def _read_complexity(condition: str) -> int:
    for name, complexity in CONDITIONS.items():
        if condition.startswith(name):
            return complexity
    raise InputError(f"condition '{condition}', expected one that begins with {list(CONDITIONS)}; correct it")


def _read_puzzle(text: str, order: int) -> Cells:
    digits = "".join(map(str, range(order + 2)))
    if len(text) != order**2 or not set(text) <= set(digits):
        raise InputError(
            f"puzzle '{text}', expected {order**2} digits of {digits}; correct it, save the column "
            "as text so that leading zeros stay, or set grid.order to the puzzles' order"
        )
    if text.count(digits[-1]) != 1:
        raise InputError(
            f"puzzle '{text}' has {text.count(digits[-1])} targets, expected one; mark one cell {digits[-1]}"
        )
    cells = np.array(list(text), dtype=np.uint8)
    if not _is_consistent(cells):
        raise InputError(f"puzzle '{text}' repeats a symbol in a row or column; correct it")
    return cells


def _read_answer(text: str, puzzle: Cells) -> int:
    order = isqrt(len(puzzle))
    if len(text) not in (1, order**2) or not set(text) <= set(map(str, range(1, order + 1))):
        raise InputError(
            f"solution '{text}', expected the target's symbol or the {order**2} of the solved square, "
            f"each in 1..{order}; correct it"
        )
    # one symbol is as good as a square of it: the target's is read
    stated = np.resize(np.array(list(text), dtype=np.uint8), order**2)
    given = (puzzle > 0) & (puzzle <= order)
    if len(text) > 1 and not (_is_consistent(stated) and (stated == puzzle)[given].all()):
        raise InputError(f"solution '{text}' is not a Latin square that completes the puzzle; correct it")
    answer = int(stated[puzzle.argmax()])
    possible = possible_answers(puzzle)
    if possible != [answer]:
        raise InputError(
            f"solution '{text}' says {answer} but the puzzle admits {possible or 'no answer'}, expected it "
            "to admit the stated answer alone; correct the solution or the givens"
        )
    return answer


def _is_consistent(cells: Cells) -> bool:
    """Tell whether no symbol occurs twice in a row or column; blanks and the target do not count."""
    order = isqrt(len(cells))
    grid = cells.reshape(order, order)
    counts = (grid[..., None] == np.arange(1, order + 1)).astype(int)
    return bool(counts.sum(0).max() <= 1 and counts.sum(1).max() <= 1)

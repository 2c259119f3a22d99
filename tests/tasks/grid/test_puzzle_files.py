from pathlib import Path

import numpy as np
import pytest

from stages.tasks.grid.puzzle_files import read_puzzles
from stages.tasks.grid.puzzle_solver import solve_in_one_step

HEADER = "ID,LST_num,condition,puzzles,solutions"
BINARY, TERNARY = "5234000000000000", "0001000020000345"
SQUARE = "4231312424131342"  # completes TERNARY


def write_puzzles(folder: Path, *rows: str, header: str = HEADER) -> Path:
    path = folder / "puzzles.csv"
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


def test_puzzles_are_read_in_order_as_text(tmp_path: Path) -> None:
    path = write_puzzles(tmp_path, f"b1,1,Binary,{BINARY},1", f"t1,2,Ternary,{TERNARY},{SQUARE}")
    read = read_puzzles(path, 4)
    assert read.puzzles.dtype == read.answers.dtype == read.complexity.dtype == np.uint8
    assert ["".join(map(str, puzzle)) for puzzle in read.puzzles] == [BINARY, TERNARY]
    assert read.answers.tolist() == [1, 2]
    assert read.complexity.tolist() == [2, 3]
    path = write_puzzles(tmp_path, f"1,1,Binary,{'62345' + 20 * '0'},1")
    assert read_puzzles(path, 5).puzzles.shape == (1, 25)


def test_stated_condition_is_kept_and_more_than_one_step_accepted(tmp_path: Path) -> None:
    for condition, complexity in (("Quaternary", 4), ("Ternary-Step2", 3), ("Binary_Step1", 2)):
        path = write_puzzles(tmp_path, f"1,,{condition},{BINARY},1")
        assert read_puzzles(path, 4).complexity.tolist() == [complexity]
    puzzle = "5200003000210342"
    assert solve_in_one_step(np.array([list(puzzle)], dtype=np.uint8))[1].tolist() == [0]
    assert read_puzzles(write_puzzles(tmp_path, f"1,1,Quaternary,{puzzle},4"), 4).answers.tolist() == [4]


@pytest.mark.parametrize(
    ("condition", "puzzle", "solution", "fault"),
    [
        ("binary", BINARY, "1", "condition 'binary', expected one that begins with"),
        ("Binary", BINARY[1:], "1", f"puzzle '{BINARY[1:]}', expected 16 digits of 012345"),
        ("Binary", BINARY.replace("4", "6"), "1", "expected 16 digits of 012345"),
        ("Binary", "", "1", "puzzle '', expected 16 digits"),
        ("Binary", BINARY.replace("5", "0"), "1", "has 0 targets, expected one"),
        ("Binary", BINARY[:-1] + "5", "1", "has 2 targets, expected one"),
        ("Binary", "5224000000000000", "1", "repeats a symbol in a row or column"),
        ("Binary", "5234020000000000", "1", "repeats a symbol in a row or column"),
        ("Binary", BINARY, "5", "solution '5', expected the target's symbol"),
        ("Binary", BINARY, "12", "solution '12', expected the target's symbol"),
        ("Binary", BINARY, "", "solution '', expected the target's symbol"),
        ("Binary", BINARY, "1234123412341234", "not a Latin square that completes"),
        ("Binary", BINARY, "1324314224134231", "not a Latin square that completes"),
        ("Binary", BINARY, "2", r"says 2 but the puzzle admits \[1\]"),
        ("Binary", "5230000000000000", "1", r"says 1 but the puzzle admits \[1, 4\]"),
        ("Binary", "5230400010000000", "1", "says 1 but the puzzle admits no answer"),
    ],
)
def test_each_fault_is_one_line_naming_file_and_row(
    tmp_path: Path, condition: str, puzzle: str, solution: str, fault: str
) -> None:
    path = write_puzzles(tmp_path, f"good,1,Binary,{BINARY},1", f"bad,2,{condition},{puzzle},{solution}")
    with pytest.raises(ValueError, match=rf"^{path}: ID bad: .*{fault}[^\n]*$"):
        read_puzzles(path, 4)


@pytest.mark.parametrize("tail", ["\n", ",,,,\n", "\n,,,,\n,,,,,\n"])
def test_blank_lines_at_the_end_are_no_puzzles(tail: str, tmp_path: Path) -> None:
    path = write_puzzles(tmp_path, f"1,1,Binary,{BINARY},1,", tail)
    assert read_puzzles(path, 4).answers.tolist() == [1]


def test_a_column_that_stands_twice_is_refused(tmp_path: Path) -> None:
    path = write_puzzles(tmp_path, f"1,1,Binary,{BINARY},1,{TERNARY}", header=f"{HEADER},puzzles")
    with pytest.raises(ValueError, match="2 columns or rows named 'puzzles'"):
        read_puzzles(path, 4)


def test_a_file_without_columns_or_puzzles_or_at_all_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"nowhere.csv not found; correct grid.puzzles"):
        read_puzzles(tmp_path / "nowhere.csv", 4)
    with pytest.raises(ValueError, match="no puzzle in the file"):
        read_puzzles(write_puzzles(tmp_path), 4)
    path = write_puzzles(tmp_path, "1,1,Binary", header="ID,LST_num,condition,puzzles")
    with pytest.raises(
        ValueError, match=r"'puzzles'\] found, expected .*; add \['solutions'\], or correct the first line"
    ):
        read_puzzles(path, 4)


@pytest.mark.parametrize("other", ["Ternary", "Quaternary_Step1"])
def test_a_puzzle_of_two_conditions_is_refused(other: str, tmp_path: Path) -> None:
    rows = [f"a,1,Binary,{BINARY},1", f"b,1,Binary_Step2,{BINARY},1", f"c,1,{other},{BINARY},1"]
    assert read_puzzles(write_puzzles(tmp_path, *rows[:2]), 4).complexity.tolist() == [2, 2]
    with pytest.raises(ValueError, match=f"ID c: condition '{other}' of a puzzle that has another"):
        read_puzzles(write_puzzles(tmp_path, *rows), 4)


@pytest.mark.parametrize(("names", "told"), [("a,1", True), ("a,2", False), ("b,1", False)])
def test_two_puzzles_of_one_name_are_said(
    names: str, told: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [f"a,1,Binary,{BINARY},1", f"a,1,Binary,{BINARY},1", f"{names},Ternary,{TERNARY},{SQUARE}"]
    assert len(read_puzzles(write_puzzles(tmp_path, *rows), 4).puzzles) == 3
    assert ("ID and LST_num a, 1 name two puzzles (1 such rows)" in capsys.readouterr().out) == told

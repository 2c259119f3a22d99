from pathlib import Path

import pytest

from stages.core.settings.errors import InputError
from stages.files.csv_lines import counts, find_number, is_header, read_lines, read_named

FILE = Path("a.csv")


@pytest.mark.parametrize(
    ("cell", "number"),
    [("1e-3", 0.001), (" -.5 ", -0.5), ("+7", 7), ("1_0", None), ("nan", None), ("inf", None), ("", None)]
    + [(cell, None) for cell in ("1e999", "−1", "0,5", "٣", "0x1", "1 2", "e", "--1", "12%")],
)
def test_a_number_is_finite_and_of_plain_digits(cell: str, number: float | None) -> None:
    assert find_number(cell) == number


@pytest.mark.parametrize(
    ("line", "count"),
    [("0,1,2", True), ("1,2", True), ("0.0,1.0", True), ("0", True), ("2,3", False), ("0,2", False)]
    + [("1,0", False), ("0,x", False), ("", False)],
)
def test_cells_count_from_0_or_1(line: str, count: bool) -> None:
    assert counts(line.split(",")) == count


@pytest.mark.parametrize(
    "line",
    ["x,y", "0,1,2", "1,2,3", ",0,1", ",1", "Unnamed: 0,0,1", "index,1,2", "token,0,1,2", "1_1,1_2", "e,E"]
    + [",a,b", "seven,a", "label,0.5"],
)
def test_names_are_text_or_count(line: str) -> None:
    assert is_header(FILE, line.split(","), known=["label"])


@pytest.mark.parametrize("line", ["0.5,1", "0,1", "1,2", "3,4,5", "1e5,-2,.5", "7"])
def test_other_numbers_are_a_line_of_the_table(line: str) -> None:
    assert not is_header(FILE, line.split(","))


@pytest.mark.parametrize(
    ("line", "column"),
    [("0.5,NA,1", 2), ("0.1O,2,3", 1), ("1,−0.5,2", 2), ("0.5,0.5.1,7", 2), ("1_0,2,3", 1), (",0.5,2", 1)]
    + [("a,b,0.5", 3), ("a,,b", 2), ("NA,NA", 1), ("nan,inf", 1), ("−0.5,−0.1", 1), ("x,1", 1), ("O,1,2", 1)],
)
def test_what_may_be_a_damaged_number_is_refused_with_its_place(line: str, column: int) -> None:
    cell = line.split(",")[column - 1]
    with pytest.raises(InputError, match=rf"^a\.csv line 1, column {column}: '{cell}', expected [^\n]*$"):
        is_header(FILE, line.split(","))


@pytest.mark.parametrize("line", ["7,12", "12,7", ",7,12", "time,7,12", "Unnamed: 0,12,7"])
def test_labels_that_are_known_name_columns(line: str) -> None:
    assert is_header(FILE, line.split(","), labels=["7", "12"])


def lines(folder: Path, text: str) -> list[list[str]]:
    (folder / "a.csv").write_text(text, encoding="utf-8-sig")
    return [cells for _, cells in read_lines(folder / "a.csv")]


@pytest.mark.parametrize("text", ["a,b\n1,2\n", "a,b,\n1,2,\n", "a,b\n\n1,2,,\n\n", 'a,"b"\n1,2\n,\n,,,\n'])
def test_blank_lines_and_empty_cells_at_ends_are_passed_over(text: str, tmp_path: Path) -> None:
    assert lines(tmp_path, text) == [["a", "b"], ["1", "2"]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b\n1\n", "line 2: 1 cells, expected 2"),
        ("a,b\n1,2,3\n", "line 2: 3 cells, expected 2"),
        ("a,b,\n1,2,3\n", "line 2: 3 cells, expected 2"),
        ("a,b\n1,2\n,\n3,4\n", "line 3: nothing in it and more below"),
        ('a\n1\n""\n3\n', "line 3: nothing in it and more below"),
        ("a\n1\n\n3\n", "line 3: nothing in it and more below"),
        ("a;b\n1;2\n", "line 1: cells between ';', expected commas"),
        ("a\tb\n1\t2\n", "line 1: cells between .*t', expected commas"),
    ],
)
def test_ragged_lines_are_refused(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        lines(tmp_path, text)


def test_named_columns_are_text_as_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(",id, x\n0,007,NA\n1,,1\n", encoding="utf-8")
    table = read_named(tmp_path / "a.csv", ["id", "x"])
    assert table.id.tolist() == ["007", ""] and table.x.tolist() == ["NA", "1"]
    with pytest.raises(InputError, match=r"columns \['', 'id', 'x'\] found, expected \['y'\]; add \['y'\]"):
        read_named(tmp_path / "a.csv", ["y"])


@pytest.mark.parametrize("text", ["# by me\n1,2\n", "1,2\n# by me\n3,4\n", "# by me, today, twice\n1,2\n"])
def test_a_comment_is_named(text: str, tmp_path: Path) -> None:
    number = 2 if text.startswith("1") else 1
    with pytest.raises(InputError, match=rf"line {number}: '# by me.*' is a comment, .*; delete it$"):
        lines(tmp_path, text)
    (tmp_path / "b.csv").write_text("# by me\nlabel\na\n")
    with pytest.raises(InputError, match="line 1: '# by me' is a comment"):
        read_named(tmp_path / "b.csv", ["label"])

from pathlib import Path

import pytest

from stages.measure_table.csv_numbers import read_labels, read_numbers
from stages.parameters.errors import InputError


@pytest.mark.parametrize(
    "text",
    ["0,1\n2,3\n", "x,y\n0,1\n2,3\n", ",0,1\n0,0,1\n1,2,3\n", "x,Label,y\n0,a,1\n\n2,b,3\n"],
    ids=["bare", "named", "by pandas", "labelled"],
)
def test_names_and_labels_are_no_numbers(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(text, encoding="utf-8-sig")
    assert read_numbers(tmp_path / "a.csv").tolist() == [[0, 1], [2, 3]]


def test_numbers_of_columns_are_names(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("0,1,2\n3,4,5\n", encoding="utf-8")
    assert read_numbers(tmp_path / "a.csv").tolist() == [[3, 4, 5]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0,1,\n2,3,\n", "line 1: could not convert string to float: ''"),
        (",1,2\n3,4,5\n", "line 1: could not convert string to float: ''"),
        ("0;1\n2;3\n", "line 1: cells between ';', expected commas"),
        ("0\t1\n2\t3\n", "line 1: cells between .*t', expected commas"),
    ],
)
def test_no_number_is_taken_for_a_name(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        read_numbers(tmp_path / "a.csv")


def test_labels_are_a_column_of_that_name(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,Label\n0,a\n1, b\n", encoding="utf-8")
    assert read_labels(tmp_path / "a.csv") == ["a", "b"]
    (tmp_path / "a.csv").write_text("0,1\n1,2\n", encoding="utf-8")
    assert read_labels(tmp_path / "a.csv") is None

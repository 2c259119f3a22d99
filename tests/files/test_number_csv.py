from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray

from stages.core.positions.row_numbers import goes_evenly
from stages.core.settings.errors import InputError
from stages.files.number_csv import read_numbers
from stages.files.row_numbers import NumberTable

TABLE = np.random.default_rng(0).normal(size=(5, 2))


def read(folder: Path, text: str, *columns: str) -> NumberTable:
    (folder / "a.csv").write_text(text, encoding="utf-8-sig")
    return read_numbers(folder / "a.csv", columns)


@pytest.mark.parametrize(
    "text",
    [
        "0,1\n2,3\n",
        "x,y\n0,1\n2,3\n",
        ",0,1\n0,0,1\n1,2,3\n",
        ",1,2\na,0,1\nb,2,3\n",
        "x,Label,y\n0,a,1\n\n2,b,3\n",
    ]
    + ["1_1,1_2\n0,1\n2,3\n", "0,1,\n2,3,\n,,\n"],
    ids=["bare", "named", "by pandas", "by pandas with names of rows", "labelled", "underscores", "trailing"],
)
def test_names_and_labels_are_no_numbers(text: str, tmp_path: Path) -> None:
    assert read(tmp_path, text).numbers.tolist() == [[0, 1], [2, 3]]


def test_numbers_of_columns_are_names_and_that_is_said(tmp_path: Path) -> None:
    table = read(tmp_path, "0,1,2\n3,4,7\n")
    assert table.numbers.tolist() == [[3, 4, 7]]
    assert table.notes == ("its first line, 0,1,2, is taken for names of its columns",)
    assert read(tmp_path, "0,1\n3,5\n").notes == ("its first line, 0,1, is taken for numbers",)


def test_columns_beside_those_expected_are_said(tmp_path: Path) -> None:
    table = read(tmp_path, "label,x,yy\na,5,2\nb,3,3\n", "x", "y", "z")
    assert table.numbers.tolist() == [[5], [3]]
    assert table.notes == ("its columns yy are left out: x, y, z are expected",)
    assert read(tmp_path, "label,x,Y\na,5,2\nb,3,3\n", "x", "y", "z").notes == ()


def test_a_message_is_one_line_whatever_is_in_a_cell(tmp_path: Path) -> None:
    for text in ('a,b\n1,"2\n3"\n', 'x,"a\nb",2\n', "a,b\n1,\0\n", '"a\nb","a\nb"\n1,2\n'):
        with pytest.raises(InputError) as caught:
            read(tmp_path, text)
        assert str(caught.value).isprintable()


def test_labels_are_a_column_of_that_name(tmp_path: Path) -> None:
    assert read(tmp_path, "x,Label\n0,a\n1, b\n").labels == ["a", "b"]
    assert read(tmp_path, "0,1\n1,2\n").labels is None


@pytest.mark.parametrize("name", ["", "Unnamed: 0"])
def test_a_first_column_without_a_name_holds_labels_unless_it_counts(name: str, tmp_path: Path) -> None:
    assert read(tmp_path, f"{name},x,y\nb,0,3\na,1,5\n").labels == ["b", "a"]
    assert read(tmp_path, f"{name},x,y\nb,0,3\na,1,5\n", "x", "y").labels == ["b", "a"]
    assert read(tmp_path, f"{name},x,y\n2,0,3\n0,1,5\n").labels == ["2", "0"]
    assert read(tmp_path, f"{name},x,y\n0,0,3\n1,1,5\n").labels is None


@pytest.mark.parametrize("start", [0, 1, 17])
@pytest.mark.parametrize("place", [0, 2])
@pytest.mark.parametrize("name", ["Unnamed: 0", "Unnamed: 0.1", "position", "Index", " id"])
def test_a_column_that_its_name_tells_to_number_rows_is_left_out_and_said(
    name: str, place: int, start: int, tmp_path: Path
) -> None:
    table = pd.DataFrame(TABLE, columns=["a", "b"])
    table.insert(place, name, range(start, start + 5))
    table.to_csv(tmp_path / "a.csv", index=False)
    found = read_numbers(tmp_path / "a.csv")
    np.testing.assert_array_equal(found.numbers, TABLE)
    assert found.names == ["a", "b"]
    assert [name.strip() in note for note in found.notes] == [True]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("5,.1\n6,.3\n7,.2\n", "column 1 '' counts rows, and may number them"),
        (".1,0\n.2,1\n.3,2\n", "column 2 '' counts rows, and may number them"),
        ("step,a\n0,.1\n1,.3\n2,.2\n", "column 1 'step' counts rows, and may number them"),
        ("id,a\n3,.1\n1,.3\n5,.2\n", "column 1 'id' does not count rows, as its name says"),
        ("x,y,x\n3,.1,4\n1,.3,4\n", "2 columns or rows named 'x'"),
        ("", "nothing in it"),
        ("a,b\n1,NA\n", "line 2, column 2: 'NA', expected a finite number; mend it$"),
        (
            "token,a\ncat,5\n",
            "line 2, column 1: 'cat', expected a finite number; .* call its column `label`$",
        ),
    ],
)
def test_what_may_be_row_numbers_or_none_is_refused(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=said):
        read(tmp_path, text)


EVEN = [
    (np.arange(0, 256, 4), "pos"),
    (np.arange(63, -1, -1), "number"),
    (np.linspace(0, 1000, 64), "time_ms"),
    (np.linspace(0, 1000, 64).round(1), "ms"),
    (np.linspace(0, 1, 64).round(4), "t"),
    (np.arange(64) * 0.002, "s"),
]


@pytest.mark.parametrize("place", [0, 2])
@pytest.mark.parametrize(("column", "name"), EVEN, ids=[name for _, name in EVEN])
def test_columns_in_equal_steps_number_rows(
    column: NDArray[np.float64], name: str, place: int, tmp_path: Path
) -> None:
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(64, 2)), columns=["a", "b"])
    table.insert(place, name, column)
    for header in (True, False):
        table.to_csv(tmp_path / "a.csv", index=False, header=header)
        with pytest.raises(InputError, match=rf"column {place + 1} .*in equal steps, and may number them"):
            read_numbers(tmp_path / "a.csv")
    table.rename(columns={name: "index"}).to_csv(tmp_path / "a.csv", index=False)
    assert read_numbers(tmp_path / "a.csv").names == ["a", "b"]


@pytest.mark.parametrize(("name", "start"), [("token", 0), ("pos", 1), ("a1", 100)])
def test_numbers_of_rows_in_another_order_are_refused_whatever_their_name(
    name: str, start: int, tmp_path: Path
) -> None:
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(64, 2)), columns=["a", "b"])
    table.insert(0, name, np.random.default_rng(1).permutation(64) + start)
    for header in (True, False):
        table.to_csv(tmp_path / "a.csv", index=False, header=header)
        with pytest.raises(
            InputError, match="column 1 .*holds each number of a row once, and may number them"
        ):
            read_numbers(tmp_path / "a.csv")


@pytest.mark.parametrize("slow", [1e-4, 1e-3, 1e-2])
def test_slow_sines_number_no_rows(slow: float) -> None:
    for n in (10, 64, 5000):
        assert not goes_evenly(np.sin(np.arange(n) * slow))
        assert not goes_evenly(np.sin((np.arange(n) - n / 2) * slow))


@pytest.mark.parametrize(
    ("text", "columns"),
    [("position\n0\n1\n2\n", ()), ("id,x,y\n7,0,5\n8,1,5\n9,2,5\n", ("x", "y")), ("5\n6\n7\n", ())],
)
def test_places_may_count(text: str, columns: tuple[str, ...], tmp_path: Path) -> None:
    numbers = read(tmp_path, text, *columns).numbers
    assert (np.diff(numbers[:, 0]) == 1).all() and numbers.shape[1] == max(len(columns), 1)


@pytest.mark.parametrize("start", [0, 1, 17])
@pytest.mark.parametrize("name", ["", "Unnamed: 0", "index", " ID", "row_number"])
@pytest.mark.parametrize("columns", [(), ("a", "b")])
def test_rows_come_in_the_order_of_a_column_that_numbers_them(
    columns: tuple[str, ...], name: str, start: int, tmp_path: Path
) -> None:
    table = pd.DataFrame(TABLE, columns=["a", "b"])
    table.insert(0, name, range(start, start + 5))
    for order in ([3, 0, 4, 1, 2], [4, 3, 2, 1, 0]):
        table.iloc[order].to_csv(tmp_path / "a.csv", index=False)
        found = read_numbers(tmp_path / "a.csv", columns)
        np.testing.assert_array_equal(found.numbers, TABLE)
        assert found.names == ["a", "b"]
        assert any("lines stand in another order than its column" in note for note in found.notes)


def test_labels_move_with_their_rows_and_two_orders_are_refused(tmp_path: Path) -> None:
    assert read(tmp_path, "label,id,x\nc,3,7\na,1,5\nb,2,9\n", "x").labels == ["a", "b", "c"]
    assert read(tmp_path, "id,x,label\n2,7,c\n0,5,a\n1,9,b\n").labels == ["a", "b", "c"]
    for text in (",index,x\n0,2,7\n1,0,5\n2,1,6\n", "id,position,x\n2,1,7\n0,2,5\n1,0,6\n"):
        for columns in ((), ("x",)):
            with pytest.raises(InputError, match="number rows in two orders, expected one"):
                read(tmp_path, text, *columns)

from pathlib import Path

import pytest

from stages.core.settings.errors import InputError
from stages.tasks.recordings.readers import arrays

LABELS = ["a", "b", "c"]


@pytest.mark.parametrize(("header", "first"), [("", "2,1"), ("2,1\n", "0,1"), ("1,2\n", "1,2")])
def test_weights_are_named_where_a_row_is_above_those_of_regions(
    header: str, first: str, tmp_path: Path
) -> None:
    (tmp_path / "w.csv").write_text(f"{header}{first}\n3,4\n", encoding="utf-8-sig")
    labels = header.strip().split(",") if header else ["1", "2"]
    weights = arrays.read_square(tmp_path / "w.csv", labels)
    assert weights.tolist() == [[float(cell) for cell in first.split(",")], [3, 4]]
    if header:
        with pytest.raises(InputError, match=r"w\.csv: its columns are in another order[^\n]*sort it so$"):
            arrays.read_square(tmp_path / "w.csv", labels[::-1])


@pytest.mark.parametrize(
    "text",
    [
        ",a,b,c\nc,2,3,0\na,0,1,2\nb,1,4,3\n",
        "region,c,a,b\na,2,0,1\nb,3,1,4\nc,0,2,3\n",
        "Unnamed: 0,b,c,a\nb,4,3,1\nc,3,0,2\na,1,2,0\n",
        ",a,b,c\n0,0,1,2\n1,1,4,3\n2,2,3,0\n",
        "0,1,2\n0,1,2\n1,4,3\n2,3,0\n",
        ",1,2,3\na,0,1,2\nb,1,4,3\nc,2,3,0\n\n",
    ],
)
def test_weights_are_matched_by_the_names_of_rows_and_columns(text: str, tmp_path: Path) -> None:
    (tmp_path / "w.csv").write_text(text)
    assert arrays.read_square(tmp_path / "w.csv", LABELS).tolist() == [[0, 1, 2], [1, 4, 3], [2, 3, 0]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (",a,b,c\na,0,1,2\nb,1,0,3\nd,2,3,0\n", "'c' names a column and no row"),
        (",a,b,d\na,0,1,2\nb,1,0,3\nd,2,3,0\n", "first different: c"),
        (",a,b,c\na,0,1,2\na,1,0,3\nc,2,3,0\n", "2 columns or rows named 'a'"),
        ("NA,1,2\n1,0,3\n2,3,0\n", "line 1, column 1: 'NA', expected a number"),
    ],
)
def test_weights_of_other_names_are_refused(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "w.csv").write_text(text)
    with pytest.raises(InputError, match=said):
        arrays.read_square(tmp_path / "w.csv", LABELS)

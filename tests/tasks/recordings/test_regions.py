"""The table of regions: what it may hold, and what is refused or said of it."""

from pathlib import Path

import pytest

from stages.core.settings.errors import InputError
from stages.tasks.recordings.regions import read_numbered, read_positions


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return tmp_path / "regions.csv"


@pytest.mark.parametrize("names", ["network,hemi", "hemi,networks", "Region ID,index"])
def test_columns_that_are_not_read_are_said(
    names: str, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table.write_text(f"label,x,y,group,{names}\na,0,0,v,1,2\nb,1,0,v,3,4\n", encoding="utf-8")
    assert [*read_positions(table)] == ["label", "x", "y", "group"]
    expected = f"regions.csv: columns {names.replace(',', ', ')} are not read, only label, x, y, z, "
    assert expected in capsys.readouterr().out


FAULTS = {
    "label,x,y,Group\na,0,0,v\nb,1,0,v\nc,2,0,v\n": ": column 'Group' found, expected 'group'; rename it",
    "label,x\na,1\n": r": columns \['label', 'x'\] found, expected .*; add \['y'\]",
    "label,x,y\na,0,0\n": ": 1 regions, expected at least 2",
    "label,x,y\na,0,0\na,1,0\n": ": label a twice; rename one",
    "label,x,y\na,0,0\nb,,0\n": ": x of b is '', expected a number",
    "label,x,y\na,0,0\nb,left,0\n": ": x of b is 'left', expected a number",
    "label,x,y\na,0,0\nb,1,0\nc,0,0\n": r": a and c both at \(0, 0\)",
    "label,x,y\na,0,0\n,1,0\n": ": row 2 has no label",
    "label,x,y\na,0,0\nb,1_0,0\n": ": x of b is '1_0', expected a number",
    "label,x,y,x\na,0,0,1\nb,1,0,2\n": ": 2 columns or rows named 'x', expected for each its own name",
    "label,x,y\n1,10,20,30\n2,11,25,31\n": " line 2: 4 cells, expected 3 as in the first line",
    "label,x,y\na,10,20,30\n2,11,25,31\n": " line 2: 4 cells, expected 3 as in the first line",
    "label,x,y\n,10,20,30\n2,11,25,31\n": " line 2: 4 cells, expected 3 as in the first line",
    "label,x,y,group\na,0,0,Visual\nb,1,0,visual \n": ": .* of group differ by case alone",
    "label,x,y,group\na,0,0,LEFT\nb,1,0,left\n": ": .* of group differ by case alone",
    "label,x,y,group\na,0,0,\u00c9\nb,1,0,e\u0301\n": ": .* of group differ by case alone",
}


@pytest.mark.parametrize("text", FAULTS)
def test_other_tables_are_refused(text: str, table: Path) -> None:
    table.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=rf"regions\.csv{FAULTS[text]}[^\n]*$"):
        read_positions(table)


@pytest.mark.parametrize("text", ["label,x,y,\na,0,0,\nb,1,2,\n", "label, x,y\na,0,0,\nb,1,2\n,,\n,,,\n"])
def test_empty_cells_at_the_end_are_nothing(text: str, table: Path) -> None:
    table.write_text(text, encoding="utf-8")
    assert read_positions(table).to_dict("list") == {"label": ["a", "b"], "x": [0, 1], "y": [0, 2]}


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        *(
            (f"9.0,a,0,0\n{number},b,1,0", "b is .*, expected a whole number")
            for number in ("five", "", "5.5", "9")
        ),
        ("0,A,0,0\n1,B,1,0", "A is 0, .* no row for its background"),
        ("0,Background,0,0\n1,A,1,0\n2,B,2,0", "Background is 0, .* no row for its background"),
        ("2,A,0,0\n0.0,B,1,0", "B is 0, .* no row for its background"),
    ],
)
def test_numbers_of_regions_are_whole_their_own_and_not_0(rows: str, fault: str, table: Path) -> None:
    table.write_text(f"index,label,x,y\n{rows}\n", encoding="utf-8")
    with pytest.raises(InputError, match=rf"regions\.csv: index of {fault}[^\n]*$"):
        read_numbered(table)


def test_numbers_of_regions_are_read(table: Path) -> None:
    table.write_text("index,label,x,y\n9.0,a,0,0\n4,b,1,0\n", encoding="utf-8")
    assert read_numbered(table)["index"].tolist() == [9, 4]

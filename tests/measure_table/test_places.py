from pathlib import Path

import numpy as np
import pytest
from made_places import write_places

from stages.core.positions.positions import lattice_units
from stages.core.settings.errors import InputError
from stages.measure_table.places import read_places, spell


def test_a_square_runs_row_by_row() -> None:
    places = read_places("square:2x3", 6)
    assert list(places) == ["square", "index"]
    assert places["square"].tolist() == [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]
    assert (
        places["index"].ravel().tolist() == list(range(6)) == read_places("line", 6)["index"].ravel().tolist()
    )


def test_coordinates_are_in_steps_without_labels_and_axes_that_do_not_vary(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    cells = [f"cell {x} {y},{10 * x},{10 * y},7" for x in range(3) for y in range(3)]
    path.write_text("\n".join(["label,x,y,z", *cells]), encoding="utf-8")
    np.testing.assert_allclose(
        read_places(str(path), 9)["coordinates"], read_places("square:3x3", 9)["square"]
    )


def test_a_table_of_regions_has_other_columns_too(tmp_path: Path) -> None:
    (tmp_path / "regions.csv").write_text(
        "label,x,y,group,1\na,0,0,Vis,5\nb,0,1,Vis,6\nc,1,0,SM,7\nd,1,1,SM,8\n"
    )
    found = read_places(str(tmp_path / "regions.csv"), 4)["coordinates"]
    assert found.tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]


@pytest.mark.parametrize(
    ("given", "content", "said"),
    [
        ("square:3x3", "", r"square:3x3: 9 places, expected 4 .*whole table$"),
        ("circle", "", r"circle, expected line, square:ROWSxCOLUMNS or"),
        ("b.csv", "", "not found"),
        ("a.csv", "x\n1\n2\n3\n", "3 rows, expected 4"),
        ("a.csv", "x,y\n", "0 rows, expected 4"),
        ("a.csv", "label\na\nb\nc\nd\n", "names of rows alone, expected columns of numbers"),
        ("a.csv", "x,y\n1,2\n2,3\n3,nan\n4,4\n", "line 4, column 2: 'nan', expected a finite number"),
        ("a.csv", "x,y\n1,2\n1,2\n1,2\n1,2\n", "all rows are at one place"),
        ("a.csv", "x,y\n1,2\n2,b\n3,1\n4,4\n", "line 3, column 2: 'b', expected a finite number"),
        ("a.csv", "x,y\n1,2\n2\n3,1\n4,4\n", "line 3: 1 cells, expected 2"),
    ],
)
def test_other_positions_are_told_in_one_line(
    given: str, content: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.csv").write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=said) as caught:
        read_places(given, 4)
    assert "\n" not in str(caught.value)


def test_rows_find_their_coordinates_by_label(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("label,x\na,0\nb,1\nc,3\n", encoding="utf-8")
    steps = read_places(str(path), 3, ["c", "a", "b"])["coordinates"].ravel()
    np.testing.assert_allclose((steps - steps[1]) / (steps[2] - steps[1]), [3, 0, 1])
    with pytest.raises(InputError, match="label 'd' is only in the table"):
        read_places(str(path), 3, ["a", "b", "d"])
    with pytest.raises(InputError, match="the table: label 'a' occurs twice"):
        read_places(str(path), 3, ["a", "a", "b"])


@pytest.mark.parametrize("labels", [["c", "a", "b"], None])
def test_labels_on_one_side_alone_are_said(
    labels: list[str] | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.csv"
    path.write_text("x\n0\n1\n3\n" if labels else "label,x\nc,0\nb,1\na,3\n")
    steps = read_places(str(path), 3, labels)["coordinates"].ravel()
    np.testing.assert_allclose(steps / steps[1], [0, 1, 3])
    assert "has no labels" in capsys.readouterr().out


@pytest.mark.parametrize("first", ["row,column", "x_mm,y_mm", "x,y"])
@pytest.mark.parametrize("sides", [(4, 25), (2, 50), (10, 10)])
def test_cells_of_any_rectangle_are_in_steps_as_a_square_is(
    sides: tuple[int, int], first: str, tmp_path: Path
) -> None:
    square = read_places(f"square:{sides[0]}x{sides[1]}", 100)["square"]
    for step in (1,) if first == "row,column" else (1, 2.5, 10):
        write_places(tmp_path, first, 3 + step * square)
        assert read_places(str(tmp_path / "a.csv"), 100)["coordinates"].tolist() == square.tolist()


def test_rows_and_columns_stay_as_they_stand_and_places_off_a_lattice_fill_one(tmp_path: Path) -> None:
    cells = 4 * np.indices((3, 5)).reshape(2, -1).T
    write_places(tmp_path, "column,row", cells)
    assert read_places(str(tmp_path / "a.csv"), 15)["coordinates"].tolist() == cells.tolist()
    regions = np.random.default_rng(0).integers(-70, 70, size=(90, 3)).astype(float)
    write_places(tmp_path, "x,y,z", regions)
    found = read_places(str(tmp_path / "a.csv"), 90)["coordinates"]
    np.testing.assert_allclose(found, lattice_units(regions))


@pytest.mark.parametrize("code", [-999, 9999, 1e20])
def test_codes_for_missing_places_are_said(
    code: float, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = np.random.default_rng(0).uniform(-99, 99, size=(20, 2))
    write_places(tmp_path, "x,y", places)
    read_places(str(tmp_path / "a.csv"), 20)
    assert "missing" not in capsys.readouterr().out
    places[[4, 9]] = code
    write_places(tmp_path, "x,y", places)
    read_places(str(tmp_path / "a.csv"), 20)
    assert f"{code:.10g} stands in rows 4, 9, counted from 0, far from all" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("first", "code", "missing"), [("x,y", -1, 1), ("x,y,z", -9, 3), ("row,column", -1, 2)]
)
def test_a_missing_place_below_all_others_is_said(
    first: str, code: int, missing: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    axes = first.count(",") + 1
    places = np.indices((4,) * axes).reshape(axes, -1).T
    rows = ", ".join(map(str, range(2, 2 + missing)))
    said = f"{code} stands in row{'s' * (missing > 1)} {rows}, counted from 0, alone on each axis"
    for at, told in ((slice(2, 2 + missing), True), (slice(0), False), ((2, 0), False)):
        changed = places.copy()
        changed[at] = code
        write_places(tmp_path, first, changed)
        read_places(str(tmp_path / "a.csv"), len(places))
        assert (said in capsys.readouterr().out) == told
    write_places(tmp_path, first, places - 1)
    read_places(str(tmp_path / "a.csv"), len(places))
    assert not capsys.readouterr().out


@pytest.mark.parametrize(
    ("given", "known"), [("Line", "line"), ("SQUARE:2X2", "square:2x2"), ("A.csv", "A.csv")]
)
def test_case_tells_nothing_but_in_names_of_files(given: str, known: str) -> None:
    assert spell(given) == known


@pytest.mark.parametrize(
    ("n", "said"),
    [
        (197, "class and register tokens, with --rows 1:, "),
        (198, "class and register tokens, with --rows 2:, "),
        (201, "class and register tokens, with --rows 5:, "),
        (195, "give places of its rows alone, or the whole table$"),
    ],
)
def test_rows_that_are_too_many_are_counted_in_the_cure(n: int, said: str, tmp_path: Path) -> None:
    write_places(tmp_path, "x,y", np.indices((14, 14)).reshape(2, -1).T)
    for given in ("square:14x14", str(tmp_path / "a.csv")):
        with pytest.raises(InputError, match=said):
            read_places(given, n)

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from stages.core.positions.sinusoids import sinusoid
from stages.files import artifacts
from stages.measure_table.measure_file import main, measure_file
from stages.measure_table.measures import COLUMNS
from stages.measure_table.tables import Asked
from stages.running.command import guard

FILES = ("figure.png", "measures.csv", "page.html", "source.json")
BAD = "<script>alert(1)<script>"


def test_from_a_file_to_a_page_and_a_mistake_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    np.save("mine.npy", sinusoid(np.arange(64.0), 16).astype(np.float32))
    monkeypatch.setattr("sys.argv", ["measure_table", "mine.npy", "--positions", "line"])
    with guard():
        main()
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 8 and lines[-1] == "tables/mine/page.html"
    assert lines[0] == "mine.npy, tensor mine, 64 rows of 16 numbers, positions: line"
    assert lines[1] == "no name speaks of positions: is each row of mine a place?"
    assert lines[2].startswith("alignment with index: 0.") and "of pairs right; permuted rows" in lines[4]
    folder = tmp_path / "tables/mine"
    assert {path.name for path in folder.iterdir()} == {*FILES}
    rows = pd.read_csv(folder / "measures.csv")
    assert list(rows.columns) == COLUMNS and set(rows.of) == {"table", "random", "permuted"}
    text = (folder / "page.html").read_text(encoding="utf-8")
    assert all(line in text for line in lines[:7]) and 'src="figure.png"' in text
    np.save("flat.npy", np.ones((12, 3)))
    monkeypatch.setattr("sys.argv", ["measure_table", "flat.npy", "--positions", "line"])
    with pytest.raises(SystemExit, match="1"), guard():
        main()
    told = capsys.readouterr().err
    assert told.startswith("error: flat.npy: tensor flat: all rows are equal") and told.count("\n") == 1
    assert not Path("tables/flat").exists()


@pytest.mark.parametrize("rows", ["-50:", ":50", "-50:-10"])
def test_rows_from_the_end_are_no_option(
    rows: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    np.save("wpe.npy", sinusoid(np.arange(64.0), 16))
    monkeypatch.setattr("sys.argv", ["measure_table", "wpe.npy", "--rows", rows, "--positions", "line"])
    main()
    assert f"rows {rows} of 64 are measured" in capsys.readouterr().out


def test_rows_at_one_place_are_neighbours(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.tile([[1.0, 0.01], [0.01, 1.0]], (5, 1)))
    (tmp_path / "b.csv").write_text("x\n" + 5 * "0\n7\n", encoding="utf-8")
    said = measure_file(tmp_path / "a.npy", None, Asked(str(tmp_path / "b.csv")), tmp_path / "out")
    assert said[3].startswith("cosine of rows 1 apart: 1.000; permuted rows 0.")


def test_names_of_tensors_are_text_and_results_repeat(tmp_path: Path) -> None:
    artifacts.write_arrays(tmp_path / "a.npz", {BAD: np.random.default_rng(0).normal(size=(12, 3))})
    contents = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        measure_file(tmp_path / "a.npz", None, Asked("square:3x4"), folder)
        contents.append([path.read_bytes() for path in sorted(folder.iterdir())])
    assert contents[0] == contents[1]
    page = (tmp_path / "one/page.html").read_text(encoding="utf-8")
    assert BAD not in page and "alert(1)" in page


def test_a_file_is_no_place_for_results(tmp_path: Path) -> None:
    np.save(tmp_path / "mine.npy", sinusoid(np.arange(64.0), 16).astype(np.float32))
    with pytest.raises(ValueError, match="mine.npy is a file, expected a folder"):
        measure_file(tmp_path / "mine.npy", None, Asked("line"), tmp_path / "mine.npy")


def test_no_table_is_written_over_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    table = sinusoid(np.arange(16.0), 8)
    for number, folder in enumerate("ab"):
        Path(folder).mkdir()
        np.save(f"{folder}/model.npy", table + number)
    artifacts.write_arrays(Path("two.npz"), {"pos_a": table, "pos/b": table + 1})

    def place(path: str, tensor: str | None = None, positions: str = "line", rows: str = ":") -> str:
        return measure_file(Path(path), tensor, Asked(positions, rows))[-1]

    pages = [
        place("a/model.npy"),
        place("b/model.npy"),
        place("two.npz", tensor="pos_a"),
        place("two.npz", tensor="pos/b"),
        place("two.npz", tensor="pos/b", positions="square:4x4"),
        place(str(tmp_path / "a/model.npy"), rows=":12"),
    ]
    assert pages[:5] == [
        f"tables/{folder}/page.html"
        for folder in ("a/model", "b/model", "two/pos_a", "two/pos%2Fb", "two/pos%2Fb-2")
    ]
    assert len(set(pages)) == 6
    assert place("two.npz", tensor="pos/b", positions="square:4x4") == pages[4]  # the same again
    with pytest.raises(ValueError, match=r"--out tables/a/model holds other results \(rows: :\); name"):
        measure_file(Path("a/model.npy"), None, Asked("line", rows="2:"), Path("tables/a/model"))
    Path("tables/a/model/source.json").unlink()
    with pytest.raises(ValueError, match="holds other results .of an unknown table."):
        measure_file(Path("a/model.npy"), None, Asked("line"), Path("tables/a/model"))


def test_a_column_of_row_numbers_changes_no_measure_and_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    table = pd.DataFrame(np.random.default_rng(0).normal(size=(64, 16))).add_prefix("d")
    table.to_csv("bare.csv", index=False)
    table.to_csv("numbered.csv", index_label="position")
    measured = [measure_file(Path(name), None, Asked("line"))[:-1] for name in ("bare.csv", "numbered.csv")]
    assert measured[0] == measured[1]
    said = "numbered.csv: its column 'position' is left out: it numbers rows"
    assert said in capsys.readouterr().out.splitlines()
    assert "numbers rows" in Path("tables/numbered/page.html").read_text(encoding="utf-8")

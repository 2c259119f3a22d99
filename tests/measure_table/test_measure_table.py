from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from stages.files import artifacts
from stages.measure_table.__main__ import main, measure_file
from stages.measure_table.measures import COLUMNS
from stages.positions.sinusoids import sinusoid
from stages.running.command import run

BAD = "<script>alert(1)<script>"


def test_from_a_file_to_a_page_and_a_mistake_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    np.save("mine.npy", sinusoid(np.arange(64.0), 16).astype(np.float32))
    monkeypatch.setattr("sys.argv", ["measure_table", "mine.npy", "--positions", "line"])
    run(main)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 6 and lines[-1] == "tables/mine/page.html"
    assert lines[0].startswith("alignment with index: 0.") and "of pairs right; permuted rows" in lines[2]
    folder = tmp_path / "tables/mine"
    assert {path.name for path in folder.iterdir()} == {"measures.csv", "figure.png", "page.html"}
    rows = pd.read_csv(folder / "measures.csv")
    assert list(rows.columns) == COLUMNS and set(rows.of) == {"table", "random", "permuted"}
    text = (folder / "page.html").read_text(encoding="utf-8")
    assert all(line in text for line in lines[:5]) and 'src="figure.png"' in text
    np.save("flat.npy", np.ones((12, 3)))
    monkeypatch.setattr("sys.argv", ["measure_table", "flat.npy", "--positions", "line"])
    with pytest.raises(SystemExit, match="1"):
        run(main)
    told = capsys.readouterr().err
    assert told.startswith("error: flat.npy: tensor flat: all rows are equal") and told.count("\n") == 1
    assert not Path("tables/flat").exists()


def test_rows_at_one_place_are_neighbours(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.tile([[1.0, 0.01], [0.01, 1.0]], (5, 1)))
    (tmp_path / "b.csv").write_text("x\n" + 5 * "0\n7\n", encoding="utf-8")
    said = measure_file(tmp_path / "a.npy", None, str(tmp_path / "b.csv"), tmp_path / "out")
    assert said[3].startswith("cosine of rows 1 apart: 1.000; permuted rows 0.")


def test_names_of_tensors_are_text_and_results_repeat(tmp_path: Path) -> None:
    artifacts.write_arrays(tmp_path / "a.npz", {BAD: np.random.default_rng(0).normal(size=(12, 3))})
    contents = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        measure_file(tmp_path / "a.npz", None, "square:3x4", folder)
        contents.append([path.read_bytes() for path in sorted(folder.iterdir())])
    assert contents[0] == contents[1]
    page = (tmp_path / "one/page.html").read_text(encoding="utf-8")
    assert BAD not in page and "alert(1)" in page


def test_a_file_is_no_place_for_results(tmp_path: Path) -> None:
    np.save(tmp_path / "mine.npy", sinusoid(np.arange(64.0), 16).astype(np.float32))
    with pytest.raises(ValueError, match="mine.npy is a file, expected a folder"):
        measure_file(tmp_path / "mine.npy", None, "line", tmp_path / "mine.npy")

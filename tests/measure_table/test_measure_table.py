import sys
from pathlib import Path

import numpy as np
import pandas as pd
from commands import ROOT, attempt

from stages.files import artifacts
from stages.measure_table.__main__ import measure_file
from stages.measure_table.measures import COLUMNS
from stages.positions.sinusoids import sinusoid

BAD = "<script>alert(1)<script>"


def command(folder: Path, *words: str) -> tuple[int, str, str]:
    done = attempt(folder, sys.executable, "-m", "stages.measure_table", *words, PYTHONPATH=str(ROOT))
    return done.returncode, done.stdout, done.stderr


def test_from_a_file_to_a_page(tmp_path: Path) -> None:
    np.save(tmp_path / "mine.npy", sinusoid(np.arange(64.0), 16).astype(np.float32))
    code, said, _ = command(tmp_path, "mine.npy", "--positions", "line")
    lines = said.encode("ascii", "backslashreplace").decode("unicode_escape").splitlines()  # in any locale
    assert code == 0 and len(lines) == 6 and lines[-1] == "tables/mine/page.html"
    assert lines[0].startswith("alignment with index: 0.") and "of pairs right; permuted rows" in lines[2]
    folder = tmp_path / "tables/mine"
    assert {path.name for path in folder.iterdir()} == {"measures.csv", "figure.png", "page.html"}
    rows = pd.read_csv(folder / "measures.csv")
    assert list(rows.columns) == COLUMNS and set(rows.of) == {"table", "random", "permuted"}
    text = (folder / "page.html").read_text(encoding="utf-8")
    assert all(line in text for line in lines[:5]) and 'src="figure.png"' in text


def test_a_mistake_is_one_line(tmp_path: Path) -> None:
    np.save(tmp_path / "mine.npy", np.ones((12, 3)))
    code, said, told = command(tmp_path, "mine.npy", "--positions", "line")
    assert (code, said) == (1, "") and told.startswith("error: mine.npy: tensor mine: all rows are equal")
    assert told.count("\n") == 1 and not (tmp_path / "tables").exists()


def test_places_in_two_clusters_have_no_neighbours(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.random.default_rng(0).normal(size=(10, 3)))
    (tmp_path / "b.csv").write_text("x\n" + 5 * "0\n7\n", encoding="utf-8")
    said = measure_file(tmp_path / "a.npy", None, str(tmp_path / "b.csv"), tmp_path / "out")
    assert said[3] == "cosine of rows 1 apart: \u2013; permuted rows \u2013"


def test_names_of_tensors_are_text_and_results_repeat(tmp_path: Path) -> None:
    artifacts.write_arrays(tmp_path / "a.npz", {BAD: np.random.default_rng(0).normal(size=(12, 3))})
    contents = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        measure_file(tmp_path / "a.npz", None, "square:3x4", folder)
        contents.append([path.read_bytes() for path in sorted(folder.iterdir())])
    assert contents[0] == contents[1]
    page = (tmp_path / "one/page.html").read_text(encoding="utf-8")
    assert BAD not in page and "alert(1)" in page

from pathlib import Path

import pandas as pd
import pytest
from small_studies import SIGMA, write_study

from stages.files.artifacts import write_csv
from stages.studies.cells import CURVES
from stages.studies.expand import expand
from stages.studies.gather import gather
from stages.studies.tables import SCORES, read_table, report_path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_study(tmp_path, {}, axis=SIGMA)
    expand(tmp_path, "own")
    return tmp_path


def write_scores(root: Path, key: str, *rows: tuple[str, str, int, object, float]) -> None:
    """Rows of cell, value of the axis, seed, epoch and value."""
    table = [("network", *row[:4], "validation", "mse", row[4]) for row in rows]
    write_csv(root / f"data/scores/own/{key}.csv", pd.DataFrame(table, columns=CURVES))


def test_scores_come_in_the_order_of_the_study_and_cells_that_did_not_run_are_named(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_scores(root, "floors-network", ("floor_zero", "", 0, "", 1.0))
    write_scores(root, "network-learned-2", ("learned", "2", 0, "", 0.5), ("learned", "2", 1, "", 0.6))
    gather(root, "own")
    table = read_table(root / report_path("own", "scores"))
    assert list(table.columns) == SCORES
    rows = list(zip(table["cell"], table["at"], table.seed, table.value, strict=True))
    assert rows == [("learned", "2", 0, 0.5), ("learned", "2", 1, 0.6), ("floor_zero", "", 0, 1.0)]
    assert capsys.readouterr().out == "not run yet: network-learned-0_2\n"
    assert not (root / report_path("own", "curves")).exists()


def test_curves_are_a_table_of_their_own(root: Path) -> None:
    write_scores(root, "network-learned-2", ("learned", "2", 0, "", 0.5), ("learned", "2", 0, 3, 0.7))
    gather(root, "own")
    assert read_table(root / report_path("own", "scores")).value.tolist() == [0.5]
    curves = read_table(root / report_path("own", "curves"))
    assert (curves.epoch.tolist(), curves.value.tolist()) == ([3], [0.7])


def test_a_study_without_scores_is_one_line(root: Path) -> None:
    with pytest.raises(ValueError, match="study own has no scores; run `make study NAME=own`"):
        gather(root, "own")


def test_a_study_of_which_no_cell_fits_is_one_line(root: Path) -> None:
    write_scores(root, "network-learned-2")
    with pytest.raises(ValueError, match="study own: no cell fits its task"):
        gather(root, "own")

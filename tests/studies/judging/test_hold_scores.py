"""Scores, of the project's own studies and of small ones, fit what is declared of their cells."""

from pathlib import Path
from typing import Any

import pytest
from commands import own_studies
from small_studies import FETCHED, SIGMA, TABLES, Values, make_scores, write_study

from stages.core.settings.errors import InputError
from stages.files.artifacts import write_csv
from stages.studies.judging.hold_scores import find_strays
from stages.studies.planning.declare import write_declared
from stages.studies.planning.load import load_study
from stages.studies.tables import read_table, report_path, require_scores

ROOT = Path(__file__).parents[3]
CELLS: dict[str, Any] = {
    "donor": {"scheme": "learned", "init_std": 1.0},
    "learned": {"scheme": "learned"},
    "given": {"scheme": "learned", "at": [0.2], "start": {"tables": "donor"}},
}
SCORED: Values = {
    ("donor", ""): [0.1, 0.1],
    ("learned", "0.2"): [0.2, 0.2],
    ("given", "0.2"): [0.3, 0.3],
    ("floor_zero", ""): [1.0],
}


@pytest.mark.parametrize("study", own_studies())
def test_scores_in_git_are_of_what_studies_declare(study: str) -> None:
    path = ROOT / report_path(study, "scores")
    assert not path.is_file() or find_strays(ROOT, study, load_study(ROOT, study), read_table(path)) == []


def find_own(root: Path) -> list[str]:
    return find_strays(root, "own", load_study(root, "own"), require_scores(root, "own"))


def strays_of(root: Path, **values: Any) -> list[str]:
    """Score a study, change it and name the cells whose scores are of others."""
    usual = {"cells": CELLS, "axis": SIGMA, "seeds": 2}
    write_study(root, {}, **usual)
    write_csv(root / report_path("own", "scores"), make_scores(SCORED))
    write_declared(root, "own")
    write_study(root, {}, **usual | values)
    return [said.split(" ")[1] for said in find_own(root)]


@pytest.mark.parametrize(
    ("values", "strays"),
    [
        ({}, []),
        ({"question": "Another?"}, []),
        ({"seeds": 9}, ["donor", "learned@0.2", "given@0.2"]),
        ({"axis": {"of": "init_std", "values": [0.2, 5.0]}}, []),
        ({"cells": CELLS | {"donor": {"scheme": "learned", "init_std": 2.0}}}, ["donor", "given@0.2"]),
        ({"cells": CELLS | {"learned": {"scheme": "learned", "dropout": 0.1}}}, ["learned@0.2"]),
        ({"cells": CELLS | {"learned": {"scheme": "learned", "first_seed": 1}}}, ["learned@0.2"]),
        ({"cells": CELLS | {"learned": {"scheme": "learned", "at": [2.0]}}}, ["learned@0.2"]),
        ({"set": {"network.noise": 0.5}}, ["donor", "learned@0.2", "given@0.2"]),
    ],
)
def test_cells_and_those_that_start_from_them_are_named(
    values: dict[str, Any], strays: list[str], tmp_path: Path
) -> None:
    assert strays_of(tmp_path, **values) == strays


def test_seeds_that_train_apart_may_be_scored_one_by_one(tmp_path: Path) -> None:
    write_study(tmp_path, {}, axis=SIGMA, seeds=9, seeds_apart=True)
    write_csv(tmp_path / report_path("own", "scores"), make_scores({("learned", "0.2"): [0.1, 0.2]}))
    write_declared(tmp_path, "own")
    assert find_own(tmp_path) == []


def test_tables_that_were_fetched_are_held_by_what_they_are(tmp_path: Path) -> None:
    write_study(tmp_path, {}, **TABLES, tasks=[], cells={})
    values = {("one", "index"): [0.1], ("one_shuffled", "index"): [0.1], ("other_random", "square"): [0.1]}
    write_csv(tmp_path / report_path("own", "scores"), make_scores(values, ""))
    write_declared(tmp_path, "own")
    assert find_own(tmp_path) == []
    changed = TABLES["tables"] | {"one": FETCHED | {"tensor": "wte"}}
    write_study(tmp_path, {}, **TABLES | {"tables": changed}, tasks=[], cells={})
    named = [said.split(" ")[0] for said in find_own(tmp_path)]
    assert named == ["one@index", "one_shuffled@index"]


def test_scores_of_no_cell_are_not_declared_and_damage_is_one_line(tmp_path: Path) -> None:
    write_study(tmp_path, {}, axis=SIGMA)
    path = tmp_path / report_path("own", "scores")
    write_csv(path, make_scores({("other", "0.2"): [0.1]}))
    with pytest.raises(InputError, match="network, other@0.2 has scores, but studies/own.yaml has no"):
        write_declared(tmp_path, "own")
    write_csv(path, make_scores({("learned", "0.2"): [0.1]}))
    write_declared(tmp_path, "own")
    (path.parent / "declared.csv").write_text("task,cell\nnetwork,learned\n")
    with pytest.raises(InputError, match="declared.csv: columns task, cell, expected task, cell, at,"):
        find_own(tmp_path)

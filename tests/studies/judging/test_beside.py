from pathlib import Path
from typing import Any

import pytest
from changed_params import ROOT
from made_published import PUBLISHED
from small_studies import SIGMA, claim, make_study, write_study

from stages.core.settings.errors import InputError
from stages.files.artifacts import write_csv
from stages.studies.judging.beside import find_theirs
from stages.studies.planning.load import load_study
from stages.studies.planning.plan import plan_study

CELLS = {"table": {"scheme": "learned"}, "none": {"scheme": "none"}, "sinusoid": {"scheme": "sinusoidal_nd"}}
STUDY = make_study(tasks=["grid"], cells=CELLS, axis=SIGMA)


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("score", [("table", "0.2", 0.9), ("table", "0.3", 0.8), ("sinusoid", "", 0.95)]),
        ("validation/accuracy_binary", [("table", "0.2", 0.7)]),
        ("train", [("table", "0.2", 1.0)]),
        ("test/accuracy", []),
        ("alignment", []),
    ],
)
def test_what_was_published_of_a_scheme_is_beside_every_cell_of_it(
    metric: str, expected: list[tuple[str, str, float]]
) -> None:
    theirs = find_theirs(PUBLISHED, STUDY, "grid", metric)
    assert list(zip(theirs.cell, theirs["at"], theirs["mean"], strict=True)) == expected
    assert find_theirs(None, STUDY, "grid", metric).empty
    longer = {"of": "training.epochs", "values": [1, 2]}
    assert find_theirs(PUBLISHED, make_study(tasks=["grid"], cells=CELLS, axis=longer), "grid", metric).empty
    assert find_theirs(PUBLISHED, make_study(tasks=["grid"], cells=CELLS), "grid", metric).empty


@pytest.mark.parametrize("unlike", [{"mask": "causal"}, {"dropout": 0.5}, {"set": {"model.width": 8}}])
def test_a_cell_that_is_another_model_has_nothing_published_beside_it(unlike: dict[str, Any]) -> None:
    cells = {"table": {"scheme": "learned"}, "other": {"scheme": "learned"} | unlike}
    study = make_study(tasks=["grid"], cells=cells, axis=SIGMA)
    assert set(find_theirs(PUBLISHED, study, "grid", "score").cell) == {"table"}
    others = make_study(tasks=["grid"], cells=CELLS, axis=SIGMA, set={"grid.protocol": "even"})
    assert find_theirs(PUBLISHED, others, "grid", "score").empty


TEST = {"task": "grid", "a": "table", "published": True, "at": [0.2], "expect": "above"}


@pytest.mark.parametrize(
    ("beside", "changes", "message"),
    [
        ("README.md", {}, ".*README.md"),
        ("data/reference/probe_theory.csv", {}, "beside: .*probe_theory.csv has no column split, expected"),
        ("data/reference/lst_human_accuracy.csv", {}, "beside: .*human_accuracy.csv has no column scheme"),
        ("words.csv", {}, "beside: words.csv has text in the column mean, expected numbers"),
        (
            "percent.csv",
            {},
            "beside: percent.csv has 90 in the column mean, expected accuracies from 0 to 1; divide",
        ),
        ("none.csv", {}, "beside: 'none.csv' given, no such file"),
        ("published.csv", {"set": {"model.width": 8}}, "claims.c: .* of 'table', but with model.width it is"),
        ("published.csv", {"set": {"data.puzzles_per_complexity": 9}}, "claims.c: .* but with data.puzz"),
        (
            "published.csv",
            {"cells": {"table": {"scheme": "learned", "where": "input"}}},
            "claims.c: published given of 'table', but with where it is no published model",
        ),
        ("published.csv", {"set": {"training.epochs": 9}}, None),
        ("published.csv", {"set": {"seed": 9}}, None),
    ],
)
def test_what_cannot_stand_beside_a_study_is_told_as_it_is_read(
    beside: str, changes: dict[str, Any], message: str | None, tmp_path: Path
) -> None:
    (tmp_path / "data").symlink_to(ROOT / "data")
    (tmp_path / "README.md").write_text("# Title\n\nOne, two, three\n\n1,2\n")
    write_csv(tmp_path / "published.csv", PUBLISHED)
    write_csv(tmp_path / "percent.csv", PUBLISHED.assign(mean=100 * PUBLISHED["mean"]))
    write_csv(tmp_path / "words.csv", PUBLISHED.assign(mean="0,9"))
    usual = {"tasks": ["grid"], "cells": CELLS, "axis": SIGMA, "claims": {"c": claim(TEST)}}
    write_study(tmp_path, {}, **usual | changes, beside=beside)
    if message is None:
        assert load_study(tmp_path, "own").beside == beside
    else:
        with pytest.raises(InputError, match=f"^studies/own.yaml: ({message})"):
            load_study(tmp_path, "own")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"grid.protocol": "rows"}, "params.yaml has grid.protocol: rows, expected published; set it so"),
        ({"grid.puzzles": {"train": ["a.csv"], "validation": ["b.csv"]}}, "params.yaml has grid.puzzles: "),
    ],
)
def test_published_accuracies_stand_beside_no_other_puzzles(
    changes: dict[str, Any], message: str, tmp_path: Path
) -> None:
    write_csv(tmp_path / "published.csv", PUBLISHED)
    usual = {"tasks": ["grid"], "cells": CELLS, "axis": SIGMA, "beside": "published.csv"}
    with pytest.raises(InputError, match=message):
        plan_study(write_study(tmp_path, changes, **usual), "own")
    own = {**usual, "set": {"grid.protocol": "rows"}}  # which has nothing published beside it
    plan_study(write_study(tmp_path, {}, **own), "own")
    plan_study(write_study(tmp_path, {}, **usual), "own")

"""Baselines and metrics that nothing would be scored under: told before anything is trained."""

from pathlib import Path
from typing import Any

import pytest
from small_studies import TABLES, claim, make_study

from stages.core.settings.errors import InputError
from stages.studies.checks.scored_names import check_scored, list_metrics
from stages.studies.schema import list_studies
from stages.studies.tables import FLOOR, read_table, report_path
from stages.tasks.facts import find_facts

ROOT = Path(__file__).parents[3]
ON = {"task": "network", "a": "learned"}


def ask(metric: str, task: str = "network", **values: Any) -> dict[str, Any]:
    test = {"task": task, "a": "learned", "than": 1.0, "metric": metric, "expect": "above"}
    return {"tasks": ["network", "grid", "even_tokens"], "claims": {"c": claim(test)}} | values


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (
            {"claims": {"c": claim(ON | {"b": "floor_linear"})}},
            "claims.c: 'floor_linear' given, no such baseline; expected floor_zero, floor_correlated,",
        ),
        (
            {"compare": {"x": {"first": "learned", "against": ["floor_gausian@2"]}}},
            "compare.x: 'floor_gausian@2' given, no such baseline; expected floor_gaussian",
        ),
        (
            {"tasks": ["grid"], "figure": {"kind": "rows", "cells": ["floor_gaussian"]}},
            "figure.cells: 'floor_gaussian' given, no such baseline; expected a cell: these tasks",
        ),
        (ask("val/mse"), "claims.c: 'val/mse' given, no such metric of network; expected validation/mse"),
        (
            ask("validation/acc", "grid"),
            "claims.c: 'validation/acc' .* of grid; expected validation/accuracy",
        ),
        (ask("validation/nwe"), "claims.c: 'validation/nwe' .* of network; expected validation/new"),
        (ask("tables/aligment"), "claims.c: 'tables/aligment' .* expected tables/alignment"),
        (ask("validation/accuracy"), "claims.c: 'validation/accuracy' .* of network; expected validation/"),
        (ask("train", "even_tokens"), "claims.c: 'train' .* of even_tokens; expected test/accuracy"),
        (ask("attention/auc_same_lin", "grid"), "claims.c: .* expected attention/auc_same_line"),
        (
            ask("attention/auc_same_line", "grid"),
            r"claims.c: .* given, which takes `measures: \[attention\]`; add it",
        ),
        (
            {"measures": ["attention"], "figure": {"kind": "rows", "metrics": ["attention/cosine_model"]}},
            "figure.metrics: 'attention/cosine_model' given, which takes `attention_of: a cell`; add it",
        ),
        (ask("tables/cosine_3"), "claims.c: 'tables/cosine_3' given, no such metric of network"),
        (
            {"figure": {"kind": "rows", "metrics": ["score", "test/acuracy"]}},
            "figure.metrics: 'test/acuracy' given, no such metric of network; expected",
        ),
        (
            TABLES | {"tasks": [], "cells": {}, "figure": {"kind": "tables", "metrics": ["tables/lenth"]}},
            "figure.metrics: 'tables/lenth' given, no such metric; expected tables/length",
        ),
    ],
)
def test_what_nothing_is_scored_under_is_told_with_the_nearest(values: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=f"^{said}"):
        check_scored(make_study(**values))


@pytest.mark.parametrize(
    "values",
    [
        {"claims": {"c": claim(ON | {"b": "floor_gaussian@2"}, ON | {"b": "floor_trees"})}},
        ask("attention/auc_same_line", "grid", measures=["attention"]),
        ask("tables/alignment_resistance_distance"),
        ask("train/diverged", "even_tokens"),
        {"tasks": ["grid", "network"], "figure": {"kind": "rows", "metrics": ["validation/mse"]}},
    ],
)
def test_what_a_cell_may_be_scored_under_is_taken(values: dict[str, Any]) -> None:
    check_scored(make_study(**values))


def test_all_that_was_ever_scored_is_known() -> None:
    for study in list_studies(ROOT):
        if (path := ROOT / report_path(study, "scores")).is_file():
            for task, rows in read_table(path).groupby("task"):
                assert set(rows.split + "/" + rows.metric) <= set(list_metrics(str(task)))
                floors = set(rows.cell[rows.cell.str.startswith(FLOOR)])
                assert floors <= set(find_facts(str(task)).floors if task else ())

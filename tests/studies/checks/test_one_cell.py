"""Cells that are one under two names."""

import re
from pathlib import Path
from typing import Any

import pytest
from refused_studies import LEARNED, asked, said
from small_studies import cells_of, write_study

from stages.studies.checks.cells import check_cells
from stages.studies.planning.plan import plan_study


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"cells": {"a": LEARNED, "b": LEARNED | {"init_std": 0.1}}},
            "network-a and network-b are one cell under two names",
        ),
        (
            {"cells": {"a": LEARNED, "b": LEARNED | {"normaliser": "softmax", "where": "every_block"}}},
            "network-a and network-b are one cell under two names",
        ),
        (
            {"cells": {"a": LEARNED, "b": LEARNED | {"set": {"training.optimiser": "adamw"}}}},
            "network-a and network-b are one cell under two names",
        ),
        (
            {
                "cells": {"a": LEARNED, "b": LEARNED | {"set": {"training.weight_decay": 0.0}}},
                "set": {"training.weight_decay": 0},
            },
            "network-a and network-b are one cell under two names",
        ),
        (
            {"axis": {"settings": {"x": {"training.epochs": 3}, "y": {"training.epochs": 3}}}},
            "network-learned-x and network-learned-y are one cell",
        ),
        (
            {"cells": {"a": LEARNED | {"init_std": 0}, "b": LEARNED | {"init_std": -0.0}}},
            "network-a and network-b are one cell",
        ),
    ],
)
def test_cells_that_are_one_under_two_names_are_refused(
    tmp_path: Path, values: dict[str, Any], message: str
) -> None:
    assert re.match(message, said(tmp_path, **values))


@pytest.mark.parametrize(
    ("parameter", "one", "other"),
    [
        ("training.table_learning_rate", 0.002, None),
        ("training.table_weight_decay", 0.0, None),
        ("training.evaluations", 4, 2),
    ],
)
def test_cells_that_train_alike_are_known(parameter: str, one: Any, other: Any) -> None:
    cells = {
        name: {"scheme": "learned", "set": {parameter: value}} for name, value in (("a", one), ("b", other))
    }
    with pytest.raises(ValueError, match="network-a and network-b are one cell under two names"):
        check_cells(cells_of(cells=cells))


def test_sigma_of_a_cell_that_starts_from_another_s_tables_changes_nothing() -> None:
    given = {"scheme": "learned", "start": {"tables": "d"}}
    cells: dict[str, dict[str, Any]] = {
        "d": {"scheme": "learned", "init_std": 0.2},
        "r": given | {"init_std": 0.2},
        "s": given | {"init_std": 2.0},
    }
    with pytest.raises(ValueError, match="network-r and network-s are one cell under two names"):
        check_cells(cells_of(cells=cells))
    cells["s"]["start"] = {"tables": "d", "frozen": True}
    check_cells(cells_of(cells=cells))


@pytest.mark.parametrize("alike", [{"seed": 0}, {"training.learning_rate": 0.002}, {"network.nodes": 15}])
@pytest.mark.parametrize("how", [{"than": 0.5, "expect": "above", "correlate": "alignment"}, {"b": "none"}])
def test_values_that_train_alike_are_not_counted_as_two(
    tmp_path: Path, alike: dict[str, Any], how: dict[str, Any]
) -> None:
    settings: dict[str, Any] = {"usual": {}, "other": {"seed": 1}, "third": {"seed": 2}}
    over = {} if "correlate" in how else {"over": "axis"}
    study = {"cells": {"learned": LEARNED, "none": {"scheme": "none"}}}
    study |= asked({"task": "network", "a": "learned", **how, **over})
    plan_study(write_study(tmp_path, {}, axis={"settings": settings}, **study), "own")
    assert re.match(
        "claims.c: 'learned' trains alike at usual and twin, which would count as two; leave one",
        said(tmp_path, axis={"settings": settings | {"twin": alike}}, **study),
    )

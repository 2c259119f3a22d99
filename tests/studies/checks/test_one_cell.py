"""Cells that are one under two names."""

import re
from pathlib import Path
from typing import Any

import pytest
from refused_studies import LEARNED, said
from small_studies import cells_of

from stages.studies.checks.cells import check_cells


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

"""Changes of parameters that no cell could have, each told in one line."""

import re
from pathlib import Path
from typing import Any

import pytest
from refused_studies import LEARNED, said


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"axis": {"of": "pe.init_std", "values": [1, 2]}},
            "axis.of: 'pe.init_std' given, which is of `focus` alone; expected configuration.init_std",
        ),
        ({"set": {"pe.init_std": 1}}, "set: 'pe.init_std' given, which is of `focus` alone"),
        (
            {"cells": {"a": LEARNED | {"set": {"pe.scheme": "none"}}}, "focus": True},
            "cells.a.set: 'pe.scheme' given, which is of `focus` alone",
        ),
        ({"set": {"training.epochs": {"times": float("inf")}}}, "set.training.epochs: .*inf.* given"),
        ({"axis": {"of": "grid.order", "values": [4]}}, "axis.of: 'grid.order' is of grid; expected network"),
        ({"set": {"scale": "paper"}}, "set: 'scale' given; expected the study's own key, scale: paper"),
        (
            {"cells": {"a": LEARNED | {"set": {"scale": "paper"}}}},
            "cells.a.set: 'scale' given; expected the study's own key",
        ),
        ({"set": {"grid.order": 5}}, "set: 'grid.order' is of grid"),
        ({"set": {"training": {"epochs": 3}}}, "set.training: .*name each parameter of a section"),
        ({"set": {"training.epochs": {"times": "two"}}}, "set.training.epochs: .* expected a value, or"),
        ({"set": {"training.epochs.x": 2}}, "set: 'training.epochs.x' given, expected a section and a name"),
    ],
)
def test_changes_that_no_cell_could_have_are_refused(
    tmp_path: Path, values: dict[str, Any], message: str
) -> None:
    assert re.match(message, said(tmp_path, **values))

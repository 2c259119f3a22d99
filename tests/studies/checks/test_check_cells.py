"""Cells that cannot be trained, or cannot start from others, each told in one line."""

import re
from pathlib import Path
from typing import Any

import pytest
from refused_studies import LEARNED, said
from small_studies import write_study

from stages.studies.planning.plan import plan_study

START = LEARNED | {"start": {"tables": "a"}}
SIZED = {"tables": "a", "sized_as": "c"}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"cells": {"a": LEARNED | {"sigma": 1}}}, "network-a: cells.a.sigma: 1 given, but learned has no"),
        ({"set": {"network.node": 3}}, "network-learned: network.node: unknown key"),
        (
            {"cells": {"a": LEARNED | {"seeds": 3}, "b": START}},
            "network-b.start.tables: 3 seeds of network-a, ",
        ),
        (
            {"cells": {"a": LEARNED, "c": LEARNED | {"seeds": 3}, "b": START | {"start": SIZED}}},
            "network-b.start.sized_as: 3 seeds of network-c, ",
        ),
        (
            {"cells": {"a": LEARNED, "c": {"scheme": "none"}, "b": START | {"start": SIZED}}},
            "network-b.start.sized_as: network-c has no tables",
        ),
        (
            {
                "cells": {
                    "a": LEARNED,
                    "c": LEARNED | {"set": {"model.expansion": 3}},
                    "b": LEARNED | {"start": {"tables": "a", "weights": "c"}},
                }
            },
            "network-b.start.weights: network-c is a model of other sizes than network-b",
        ),
        ({"cells": {"a": {"scheme": "none"}, "b": START}}, "network-b.start.tables: network-a has no tables"),
        (
            {"cells": {"a": LEARNED, "b": START | {"set": {"model.blocks": 2}}}},
            "network-b.start.tables: network-a has 1 tables of width 16, but network-b has 2 of 16",
        ),
        (
            {"cells": {"a": LEARNED, "b": START | {"scheme": "random_fixed"}}},
            "network-b.start.tables: network-b has no tables that are learned",
        ),
    ],
)
def test_cells_that_cannot_be_trained_are_refused(
    tmp_path: Path, values: dict[str, Any], message: str
) -> None:
    assert re.match(message, said(tmp_path, **values))


def test_from_left_to_right_a_cell_needs_the_causal_mask(tmp_path: Path) -> None:
    usual: dict[str, Any] = {"tasks": ["language"], "set": {"language.objective": "left_to_right"}}
    message = "language-learned: cells.learned.mask: none given with language.objective: left_to_right, where"
    assert said(tmp_path, **usual).startswith(message)
    masked = {"set": {**usual["set"], "configuration.mask": "causal"}}
    for allowed in (masked, {"cells": {"causal_none": {"scheme": "causal_none"}}}):
        plan_study(write_study(tmp_path, {}, **usual | allowed), "own")

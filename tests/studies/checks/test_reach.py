"""Comparisons that no cells could ever fill, each told in one line."""

import re
from pathlib import Path
from typing import Any

import pytest
from refused_studies import BESIDE_ONE, LEARNED, asked, said
from small_studies import SIGMA, claim

BESIDE_FLOOR = {"task": "network", "a": "learned", "b": "floor_gaussian"}
A_AND_B = {"x": {"pairs": [["a", "b"]]}}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (asked(BESIDE_ONE | {"a": "floor_gaussian"}), "claims.c: 'floor_gaussian' has one value"),
        (asked(BESIDE_FLOOR | {"a": "floor_zero"}), "claims.c: 'floor_zero' has one value"),
        (
            {
                "cells": {"a": LEARNED, "b": {"scheme": "none"}},
                "compare": {"x": {"pairs": [["a@2", "b@2"]]}},
                "axis": SIGMA,
            },
            "compare.x: 'a@2' given, a has 0.2, 2 on network; 'b@2' given, b has no axis on network; ",
        ),
        (
            {
                "cells": {"a": LEARNED | {"at": [0.2]}, "b": LEARNED | {"at": [2]}},
                "compare": A_AND_B,
                "axis": SIGMA,
            },
            "compare.x: 'a' given, a has 0.2 on network; 'b' given, b has 2 on network",
        ),
        (
            {"cells": {"a": LEARNED | {"set": {"seed": 1}}, "b": {"scheme": "none"}}, "compare": A_AND_B}
            | {"tasks": ["identification"]},
            "compare.x: 'a' is under seed: 1 and 'b' under seed: 0, so that seed by seed they share no draw",
        ),
        (
            {
                "cells": {"a": LEARNED, "b": {"scheme": "none"}},
                "axis": {"settings": {"one": {"seed": 7}, "two": {"seed": 8}}},
                "claims": {"c": claim({"task": "network", "a": "a@one", "b": "a@two"})},
            },
            "claims.c: 'a@one' is under seed: 7 and 'a@two' under seed: 8",
        ),
        (
            {"cells": {"a": LEARNED | {"first_seed": 5}, "b": LEARNED}, "seeds": 3, "compare": A_AND_B},
            "compare.x: .*; expected a task, a value of the axis and seeds of both",
        ),
        (
            {
                "tasks": ["network", "grid"],
                "cells": {"a": LEARNED | {"tasks": ["grid"]}},
                "claims": {"c": claim(BESIDE_ONE | {"a": "a"})},
            },
            "claims.c: 'a' given, a has nothing on network",
        ),
    ],
)
def test_comparisons_that_no_cells_fill_are_refused(
    tmp_path: Path, values: dict[str, Any], message: str
) -> None:
    assert re.match(message, said(tmp_path, **values))

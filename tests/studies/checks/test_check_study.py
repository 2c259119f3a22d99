"""Parts of a study that do not go together, each told in one line."""

import re
from pathlib import Path
from typing import Any

import pytest
from refused_studies import LEARNED, said
from small_studies import FETCHED

START = LEARNED | {"start": {"tables": "a"}}
A_AND_B = {"x": {"pairs": [["a", "b"]]}}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"tasks": ["maze"]}, "task 'maze' is not known; expected one of even_tokens, grid"),
        (
            {"figure": {"kind": "lines"}},
            "figure.kind: 'lines' given, expected rows: only a study with an axis",
        ),
        ({"attention_of": "learned"}, "attention_of: given, which takes `measures: \\[attention]`; add it"),
        (
            {"tables": {"one": FETCHED}},
            "tasks and cells and tables given, expected tasks and cells, or only tables",
        ),
        ({"cells": {}}, "tasks given, expected tasks and cells, or only tables; correct it$"),
        ({"tasks": ["network", "network"]}, "tasks: network given 2 times"),
        ({"cells": {"focus": LEARNED}}, "cells.focus: names that begin with floor_ are baselines, and"),
        ({"cells": {"a" * 99: LEARNED}}, r"cells.a+\.\.\.: a name of 99 letters, expected at most 60"),
        ({"cells": {"a": LEARNED | {"at": [0.2]}}}, r"cells.a.at: \[0.2\] given, but the study has no axis"),
        ({"cells": {"floor_a": LEARNED}}, "cells.floor_a: names that begin with floor_"),
        ({"cells": {"a": LEARNED | {"start": {"tables": "a"}}}}, "cells.a.start: 'a' starts from itself"),
        (
            {"cells": {"c": LEARNED, "a": LEARNED | {"start": {"tables": "c", "weights": "a"}}}},
            "cells.a.start: 'a' starts from itself",
        ),
        ({"cells": {"a": LEARNED, "b": START}, "seeds_apart": True, "seeds": 1}, "cells.b.start: given with"),
        ({"figure": {"kind": "tables"}}, "figure.kind: 'tables' given, expected lines or rows"),
        ({"measures": ["theory"]}, "measures: 'theory' given with tasks"),
        ({"beside": "nowhere.csv"}, "beside: means of puzzles given with tasks .'network'., expected"),
        (
            {"cells": {"a": LEARNED, "b": {"scheme": "none"}, "c": {"scheme": "rope"}}, "compare": A_AND_B}
            | {"figure": {"kind": "rows", "cells": ["a", "c"]}},
            "figure.cells: .* given, but `compare` has no pair of them",
        ),
    ],
)
def test_parts_that_do_not_go_together_are_refused(
    tmp_path: Path, values: dict[str, Any], message: str
) -> None:
    assert re.match(message, said(tmp_path, **values))

"""Names of cells, values and tasks that there are not, each told in one line."""

import re
from pathlib import Path
from typing import Any

import pytest
from refused_studies import BESIDE_ONE, LEARNED, asked, said
from small_studies import SIGMA, TABLES, claim


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"cells": {"a": LEARNED | {"tasks": ["grid"]}}},
            "cells.a.tasks: 'grid' given, not of this study; expected",
        ),
        (
            {"cells": {"a": LEARNED | {"at": [3]}}, "axis": SIGMA},
            "cells.a.at: the axis has no '3'; expected one",
        ),
        (
            {"compare": {"x": {"pairs": [["learned", "non"]]}}},
            "compare.x: 'non' given, no such cell; expected ",
        ),
        (
            {"compare": {"x": {"pairs": [["learned@3", "learned"]]}}, "axis": SIGMA},
            "compare.x: 'learned@3' given, no such value",
        ),
        ({"figure": {"kind": "rows", "cells": ["x"]}}, "figure.cells: 'x' given, no such cell"),
        (
            {"figure": {"kind": "lines", "cells": ["learned@2"]}, "axis": SIGMA},
            "figure.cells: 'learned@2' given, no such cell; expected learned",
        ),
        (asked(BESIDE_ONE | {"a": "lerned"}), "claims.c: 'lerned' given, no such cell"),
        (
            {"attention_of": "lerned", "measures": ["attention"]},
            "attention_of: 'lerned' given, no such cell; expected learned",
        ),
        (asked(BESIDE_ONE | {"at": [3]}, axis=SIGMA), "claims.c.at: the axis has no '3'"),
        (asked(BESIDE_ONE | {"at": [2, 2.0]}, axis=SIGMA), "claims.c.at: '2' given 2 times, expected once"),
        (
            asked({"task": "network", "a": "learned", "published": True}),
            "claims.c: published given without `beside`",
        ),
        (
            TABLES | {"tasks": [], "cells": {}, "compare": {"x": {"pairs": [["one", "one_shufled"]]}}},
            "compare.x: 'one_shufled' given, no such",
        ),
        (
            asked({"a": "learned", "than": 1.0}),
            "claims.c.task: '' given, not of this study; expected one of network",
        ),
        ({"axis": {"settings": {"x": {"tasks": ["grd"]}}}}, "axis.settings.x.tasks: 'grd' given"),
        (
            {"cells": {"a": LEARNED | {"trained": False}}, "claims": {"c": claim(BESIDE_ONE | {"a": "a"})}},
            "claims.c: 'a' is not trained",
        ),
    ],
)
def test_names_of_what_there_is_not_are_refused(tmp_path: Path, values: dict[str, Any], message: str) -> None:
    assert re.match(message, said(tmp_path, **values))

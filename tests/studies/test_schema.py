"""Refuse mistakes that the schema of a study tells, each in one line."""

import re
from pathlib import Path
from typing import Any

import pytest
from refused_studies import BESIDE_ONE, LEARNED, asked, said
from small_studies import FETCHED, SIGMA, TABLES

START = LEARNED | {"start": {"tables": "a"}}
BESIDE_FLOOR = {"task": "network", "a": "learned", "b": "floor_gaussian"}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"figur": 1}, "figur: unknown key"),
        ({"figure": {"kind": "pie"}}, "figure.kind: 'pie' given, expected 'lines', 'rows'"),
        ({"cells": {"a": LEARNED | {"start": {"table": "a"}}}}, "cells.a.start.table: unknown"),
        ({"axis": {"of": "init_std"}}, "axis: {'of': 'init_std'} given, expected either `of` with `values`"),
        (
            {"figure": {"kind": "rows", "metrics": ["aligment"]}},
            "figure.metrics.0: 'aligment' given, expected alignment",
        ),
        (
            {"figure": {"kind": "rows", "metrics": ["mse"]}},
            "figure.metrics.0: 'mse' given, expected score, train, alignment, gain or",
        ),
        (asked(BESIDE_ONE | {"b": "learned"}), "claims.c.tests.0: .* expected one of b, than"),
        (
            asked(BESIDE_ONE | {"over": "axis"}, axis=SIGMA),
            "claims.c.tests.0: .* expected a cell or a floor as b, as over: axis",
        ),
        (
            asked(BESIDE_FLOOR | {"a": "learned@2", "over": "axis"}, axis=SIGMA),
            "claims.c.tests.0: .* expected a and b without @, as over: axis",
        ),
        (asked(BESIDE_FLOOR | {"b": "learned"}), "claims.c.tests.0: .* not 'learned' twice"),
        (
            asked(BESIDE_ONE | {"a": "learned@2", "at": [2]}, axis=SIGMA),
            "claims.c.tests.0: .* expected either `at`, or values of the axis behind @",
        ),
        (
            {"cells": {"a": LEARNED, "b": LEARNED | {"start": {"tables": "a", "sized_as": ["a"]}}}},
            r"cells.b.start.sized_as: \['a'\] given",
        ),
        (
            asked(BESIDE_ONE | {"metric": "alignment"}),
            "claims.c.tests.0: .* expected `above` or `below`, as neither end of alignment is better",
        ),
        (asked(BESIDE_ONE | {"metric": "scroe"}), "claims.c.tests.0.metric: 'scroe' given"),
        (
            TABLES | {"tasks": [], "cells": {}, "tables": {"one": FETCHED | {"sha256": "0"}}},
            "tables.one.sha256: '0' given",
        ),
        (asked(), r"claims.c.tests: \[\] given"),
        (
            {"axis": {"of": "network.graph", "values": ["ring"]}},
            "axis.values: .* expected a list of finite numbers",
        ),
        (
            {"axis": {"of": "init_std", "values": [float("nan")]}},
            r"axis.values: \[nan\] given, expected a list of f",
        ),
        (asked(BESIDE_ONE | {"expect": {"within": -1}}), "claims.c.tests.0.expect: .*better"),
        ({"cells": {"a": LEARNED | {"at": 0.2}}, "axis": SIGMA}, "cells.a.at: 0.2 given, expected"),
        ({"cells": {"a": LEARNED | {"seeds": 0}}}, "cells.a.seeds: 0 given, expected greater"),
        ({"cells": {"a": LEARNED | {"set": [1]}}}, r"cells.a.set: \[1\] given"),
        ({"cells": {"b": START, "a": LEARNED | {"start": "random"}}}, "cells.a.start: 'random' given"),
        ({"compare": {"x": {}}}, "compare.x: {} given, expected pairs, or first with against"),
        ({"compare": {"x": {"pairs": [["a", "a"]]}}}, "compare.x: .*not 'a' twice"),
    ],
)
def test_what_a_study_cannot_say_is_refused(tmp_path: Path, values: dict[str, Any], message: str) -> None:
    assert re.match(message, said(tmp_path, **values))

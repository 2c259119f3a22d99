"""Cells that a study cannot ask for, each told in one line."""

import re
from pathlib import Path
from typing import Any

import pytest
from refused_studies import LEARNED, said
from small_studies import SIGMA

NOT_BOTH = "given, but the axis decides it; leave one of them out"
TWO_VALUES = {"of": "training.epochs", "values": [1, 2]}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"cells": {"a": {"scheme": "lerned"}}}, "cells.a.scheme: 'lerned' given, expected learned"),
        ({"cells": {"a": {"scheme": "lerned"}}, "axis": SIGMA}, "cells.a.scheme: 'lerned' given"),
        ({"set": {"training.epoch": 3}}, "network-learned: scales.smoke.network.training.epoch: unknown key"),
        (
            {"cells": {"a": {"scheme": "none", "at": [2]}}, "axis": SIGMA},
            r"cells.a.at: \[2\] given, but the axis varies no such cell; leave it out",
        ),
        ({"axis": {"of": "init_sdt", "values": [1, 2]}}, "axis.of: 'init_sdt' given, .* expected init_std"),
        (
            {"cells": {"Learned": LEARNED, "learned": LEARNED | {"init_std": 2.0}}},
            "cells: network-Learned and network-learned differ only in capitals; rename one",
        ),
        (
            {"axis": {"settings": {"wide": {}, "Wide": {"training.epochs": 3}}}},
            "cells: network-learned-Wide and network-learned-wide differ only in capitals",
        ),
        ({"scale": "smal"}, "scale: 'smal' given, expected small"),
    ],
)
def test_cells_that_cannot_be_asked_for_are_refused(
    tmp_path: Path, values: dict[str, Any], message: str
) -> None:
    assert re.match(message, said(tmp_path, **values))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"axis": SIGMA, "set": {"configuration.init_std": 3}},
            "network-learned-0_2: cells.learned.init_std: 0.2 given, and 3 by configuration.init_std in",
        ),
        (
            {"cells": {"a": LEARNED | {"init_std": 0.1, "set": {"configuration.init_std": 3}}}},
            "network-a: cells.a.init_std: 0.1 given, and 3 by",
        ),
        (
            {"set": {"configuration.scheme": "none"}},
            "network-learned: cells.learned.scheme: 'learned' given, and 'none' by",
        ),
        (
            {"cells": {"a": LEARNED | {"init_std": 0.1}}, "axis": SIGMA | {"of": "configuration.init_std"}},
            "network-a-0_2: cells.a.init_std: 0.1 given, and 0.2 by configuration.init_std",
        ),
        (
            {"focus": True, "set": {"pe.init_std": 1.0, "configuration.init_std": 2.0}},
            "network-focus: pe.init_std: 1.0 given, and 2.0 by",
        ),
        ({"axis": TWO_VALUES, "set": {"training.epochs": 3}}, f"set.training.epochs: 3 {NOT_BOTH}"),
        (
            {"axis": TWO_VALUES, "cells": {"a": LEARNED | {"set": {"training.epochs": 3}}}},
            f"cells.a.set.training.epochs: 3 {NOT_BOTH}",
        ),
        (
            {
                "axis": {"settings": {"x": {"training.epochs": 2}}},
                "cells": {"a": LEARNED | {"set": {"training.epochs": 3}}},
            },
            f"cells.a.set.training.epochs: 3 {NOT_BOTH}",
        ),
        (
            {"seeds": 3, "set": {"training.seeds": 2}},
            "training.seeds: given with seeds: 3; leave one of them",
        ),
        (
            {"axis": SIGMA, "cells": {"a": LEARNED | {"init_std": 0.1}, "b": LEARNED | {"init_std": 1.0}}},
            "axis.of: 'init_std' given, but no cell is varied along it, as a, b set init_std themselves",
        ),
    ],
)
def test_no_two_decide_one_number(tmp_path: Path, values: dict[str, Any], message: str) -> None:
    assert said(tmp_path, **values).startswith(message)


def test_a_parameter_that_there_is_not_is_told_with_those_that_there_are(tmp_path: Path) -> None:
    message = "network-learned-1: scales.smoke.network.model.layers: unknown key; remove it or correct its "
    message += "spelling; expected one of width, blocks, heads, expansion"
    assert said(tmp_path, axis={"of": "model.layers", "values": [1, 2]}) == message

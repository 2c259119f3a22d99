"""Mistakes of an axis, each told in one line."""

import re
from pathlib import Path
from typing import Any

import pytest
from refused_studies import asked, said


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            asked({"task": "network", "a": "learned", "b": "floor_x", "over": "axis"}),
            "claims: over: 'axis' given, but the study has none",
        ),
        ({"axis": {"of": "init_std", "values": [2.0, 2]}}, "axis.values: 2 given more than once"),
        ({"axis": {"of": "init_std", "values": [0, -0.0]}}, "axis.values: 0 given more than once"),
        ({"axis": {"settings": {"x": {"tasks": "grid"}}}}, "axis.settings.x.tasks: 'grid' given, expected a"),
    ],
)
def test_a_mistaken_axis_is_refused(tmp_path: Path, values: dict[str, Any], message: str) -> None:
    assert re.match(message, said(tmp_path, **values))

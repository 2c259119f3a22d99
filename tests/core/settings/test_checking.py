from typing import Any

import pytest
from pydantic.dataclasses import dataclass

from stages.core.settings.checking import check
from stages.core.settings.kinds import STRICT, Count, Positive


@dataclass(frozen=True, config=STRICT)
class Sizes:
    frames: Count
    noise: Positive = 1.0


def test_values_become_the_dataclass() -> None:
    assert check(Sizes, {"frames": 3}, "data") == Sizes(frames=3, noise=1.0)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"frmaes": 3}, "data.frmaes: unknown key, and data.frames is missing; correct the spelling"),
        (
            {"colour": 3},
            "data.colour: unknown key; remove it or correct its spelling (data.frames is missing)",
        ),
        (
            {"frames": 3, "colour": 3},
            "data.colour: unknown key; remove it or correct its spelling; expected one of frames, noise",
        ),
        (
            {"frames": 3, "nosie": 3},
            "data.nosie: unknown key; remove it or correct its spelling; expected noise",
        ),
        ({}, "data.frames: missing; add it (params.yaml in version control shows its default)"),
        ({"frames": "few"}, "data.frames: 'few' given, expected a valid integer"),
        ({"frames": 0}, "data.frames: 0 given, expected greater than or equal to 1"),
        ({"frames": 3, "noise": 0}, "data.noise: 0 given, expected greater than 0"),
        ({"frames": 3, "noise": float("nan")}, "data.noise: nan given, expected a finite number"),
        (None, "data: None given, expected an object"),
    ],
)
def test_a_mistake_is_one_line(values: Any, message: str) -> None:
    with pytest.raises(ValueError) as error:
        check(Sizes, values, "data")
    assert str(error.value) == message

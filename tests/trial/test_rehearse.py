"""Encodings of a user's own, tried before anything is trained."""

import re
from typing import Any

import pytest
from hosts import ALONE

from stages import catalogue
from stages.cells.code import ROOT
from stages.core.encodings import alibi
from stages.core.settings.configuration import Architecture, Configuration
from stages.core.settings.sizes import Model
from stages.trial.rehearse import rehearse

SIZES = Model(width=16, blocks=2, heads=2, expansion=2)
EXAMPLE = re.compile(r"```python\n(# stages/core/encodings/.*?)```", re.DOTALL)


def configure(scheme: str) -> Configuration:
    return Configuration("pe", scheme, {}, Architecture())


@pytest.mark.parametrize("scheme", ALONE)
def test_every_encoding_of_ours_passes(scheme: str) -> None:
    rehearse(configure(scheme), SIZES)


def test_the_examples_of_the_readme_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    modules = EXAMPLE.findall((ROOT / catalogue.README).read_text())
    assert len(modules) == 2
    for module in modules:
        names: dict[str, Any] = {"__name__": alibi.__name__, "__package__": alibi.__package__}
        exec(module, names)  # with its own imports
        monkeypatch.setattr(alibi, "Encoding", names["Encoding"])
        rehearse(configure("alibi"), SIZES)

"""Encodings of a user's own, tried before anything is trained."""

import re
from typing import Any

import pytest
import torch
from hosts import ALONE
from torch import nn

from stages import catalogue
from stages.cells.code import ROOT
from stages.core.encodings import alibi
from stages.core.encodings.interface import Host, PositionalEncoding
from stages.core.settings.configuration import Architecture, Configuration
from stages.core.settings.errors import InputError
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


def test_a_parameter_without_an_axis_of_seeds_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Encoding(PositionalEncoding):
        def __init__(self, host: Host) -> None:
            super().__init__()
            self.slope = nn.Parameter(torch.zeros(host.heads))

        def logits(self, block: int, logits: Any, q: Any, k: Any, x: Any, rows: slice) -> Any:
            return logits + self.slope[:, None, None]

    monkeypatch.setattr(alibi, "Encoding", Encoding)
    with pytest.raises(
        InputError, match=r"^alibi: parameter slope has shape \(2,\), expected .* for each seed"
    ):
        rehearse(configure("alibi"), SIZES)

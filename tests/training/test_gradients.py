"""A parameter of an encoding is trained, or it is refused."""

from math import log
from typing import Any

import pytest
import torch
from torch import nn
from written_encodings import Tabled, Written, attempt, written

from stages.core.encodings.interface import Host
from stages.core.randomness.initial import normal
from stages.core.settings.errors import InputError


def table_of_data(self: Any, block: int) -> Any:
    return self.tables.data[:, block]


def table_of_rounded(self: Any, block: int) -> Any:
    return self.tables.round()[:, block]


def table_of_none(self: Any, block: int) -> Any:
    return torch.ones(1, 5, 16)


@pytest.mark.parametrize("table", [table_of_data, table_of_rounded, table_of_none])
def test_a_parameter_that_is_never_trained_is_refused(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="^alibi: parameter tables gets no gradient, so it is never trained"):
        attempt(written(Tabled, table=table), monkeypatch)


def test_a_parameter_without_a_gradient_at_the_start_alone_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    class Encoding(Written):
        def make(self, host: Host) -> None:
            r = len(host.generators)
            self.left = nn.Parameter(normal(0.1, (2, 5, 3), host.generators))
            self.right = nn.Parameter(torch.zeros(r, 2, 3, 16))  # as in low-rank updates: left waits for it
            self.slope = nn.Parameter(torch.full((r, host.heads), log(0.5)))
            self.frozen = nn.Parameter(torch.ones(r), requires_grad=False)

        def table(self, block: int) -> Any:
            return self.left[:, block] @ self.right[:, block]

        def logits(self, block: int, logits: Any, q: Any, k: Any, rows: slice) -> Any:
            slope = self.slope.exp()[:, None, :, None, None]
            return logits - slope * self.penalty[0, rows] * (block == 0)  # in one block alone

    attempt(Encoding, monkeypatch)

"""A parameter of an encoding is trained, or it is refused."""

from math import log
from typing import Any

import numpy as np
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

        def logits(self, block: int, logits: Any, q: Any, k: Any, x: Any, rows: slice) -> Any:
            slope = self.slope.exp()[:, None, :, None, None]
            return logits - slope * self.penalty[0, rows] * (block == 0)  # in one block alone

    attempt(Encoding, monkeypatch)


def detached_logits(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    return logits.detach()


def detached(self: Any, block: Any, weights: Any, rows: Any) -> Any:
    return weights.detach()


def detached_mixed(self: Any, block: Any, mixed: Any, weights: Any, rows: Any) -> Any:
    return mixed.data


def by_numpy(self: Any, block: Any, weights: Any, rows: Any) -> Any:
    faded = weights.detach().numpy() * np.exp(-self.penalty[0, rows].numpy())
    return torch.from_numpy(faded)


def detached_in_one_head(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    return torch.cat([logits[:, :, :1], logits[:, :, 1:].detach()], dim=2)


def detached_in_one_block(self: Any, block: Any, mixed: Any, weights: Any, rows: Any) -> Any:
    return mixed.detach() + 0 * weights[..., :1] if block else mixed


def without_gradients(self: Any, block: Any, q: Any, k: Any, rows: Any) -> Any:
    with torch.no_grad():
        return q * 1.5, k * 1.5


@pytest.mark.parametrize(
    ("methods", "block"),
    [
        ({"weights": detached}, 0),
        ({"logits": detached_logits}, 0),
        ({"mix_values": detached_mixed}, 0),
        ({"weights": by_numpy}, 0),
        ({"logits": detached_in_one_head}, 0),
        ({"mix_values": detached_in_one_block}, 1),
        ({"rotate": without_gradients}, 0),
    ],
)
def test_queries_that_are_never_trained_are_refused(
    methods: Any, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = f"^alibi: block {block} depends on queries that get no gradient through it, so"
    with pytest.raises(InputError, match=said):
        attempt(written(**methods), monkeypatch)


def test_tokens_that_are_never_trained_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="^alibi: block 0 depends on conditioned tokens that get no grad"):
        attempt(written(condition=lambda self, block, x: 2 * x.detach()), monkeypatch)


def without_content(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    return (-self.penalty[0, rows]).expand_as(logits).clone()


def largest_taken_off(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    return logits - logits.detach().amax(-1, keepdim=True)


def three_largest(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    return logits.masked_fill(logits < logits.topk(3).values[..., -1:], -torch.inf)


@pytest.mark.parametrize("logits", [without_content, largest_taken_off, three_largest])
def test_queries_without_a_part_or_with_one_in_gradients_pass(
    logits: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempt(written(logits=logits), monkeypatch)


def test_a_parameter_whose_gradient_ends_behind_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(self: Any, host: Host) -> None:
        self.bias = nn.Parameter(normal(0.1, (1, host.heads, 1, 5), host.generators))

    def logits(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
        return self.bias.expand_as(logits)

    attempt(written(make=make, logits=logits), monkeypatch)
    with pytest.raises(InputError, match="^alibi: parameter bias gets no gradient, so it is never trained"):
        attempt(written(make=make, logits=logits, weights=detached), monkeypatch)

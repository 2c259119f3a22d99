"""Encodings of a user's own that let rows, seeds or examples see others that they must not see."""

from contextlib import nullcontext
from typing import Any

import pytest
import torch
from torch import nn
from written_encodings import TABLES, Tabled, attempt, written

from stages.core.encodings.interface import Host
from stages.core.randomness.initial import normal
from stages.core.settings.errors import InputError


def first_rows(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    return logits - self.penalty[0, : logits.shape[-2]]


def last_rows(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    return logits - self.penalty[0, -logits.shape[-2] :]


def mean_row(self: Any, block: Any, weights: Any, rows: Any) -> Any:
    return weights / weights.sum(-2, keepdim=True)


def turned_from_the_first(self: Any, block: Any, q: Any, k: Any, rows: Any) -> Any:
    return q * torch.arange(1.0, q.shape[-2] + 1)[:, None], k


@pytest.mark.parametrize(
    ("methods", "method", "rows"),
    [
        ({"logits": first_rows}, "logits", "row 4"),
        ({"logits": last_rows}, "logits", "row 0"),
        ({"weights": mean_row}, "weights", "row 0"),
        ({"rotate": turned_from_the_first}, "rotate", "row 4"),
    ],
)
def test_rows_that_are_answered_otherwise_alone_are_refused(
    methods: Any, method: str, rows: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError) as error:
        attempt(written(**methods), monkeypatch)
    assert str(error.value) == (
        f"alibi: {method} gives other values for {rows} alone than for all rows; use the argument rows"
    )


def make_hooked(self: Any, host: Host) -> None:
    self.tables = nn.Parameter(normal(0.1, TABLES, host.generators))
    self.tables.register_hook(lambda gradient: gradient / gradient.norm())


def centre(parameter: Any) -> None:
    parameter.grad -= parameter.grad.mean(0)


def make_hooked_after(self: Any, host: Host) -> None:
    self.tables = nn.Parameter(normal(0.1, TABLES, host.generators))
    self.tables.register_post_accumulate_grad_hook(centre)


def hooked_table(self: Any, block: int) -> Any:
    table = 1 * self.tables[:, block]
    if table.requires_grad:
        table.register_hook(lambda gradient: gradient / gradient.norm())
    return table


def hooked_logits(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    biased = logits - self.penalty[0, rows]
    if biased.requires_grad:
        biased.register_hook(lambda gradient: gradient.clamp(max=gradient.std()))
    return biased


@pytest.mark.parametrize(
    ("methods", "what"),
    [
        ({"make": make_hooked}, "tables"),
        ({"make": make_hooked_after}, "tables"),
        ({"table": hooked_table}, "tables"),
        ({"logits": hooked_logits}, "queries"),
    ],
)
def test_gradients_of_seeds_that_depend_on_one_another_are_refused(
    methods: Any, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match=f"^alibi: the gradient of {what} gives a seed other values alone"):
        attempt(written(Tabled, **methods), monkeypatch)


@pytest.mark.parametrize(("share", "refused"), [(1e-3, False), (1e-2, True)])
def test_gradients_of_parameters_may_round_as_sums_do(
    share: float, refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Terms of their sums cancel: on AVX2 alone those of `fire` differ by 1.1e-4 of the largest."""

    def make(self: Any, host: Host) -> None:
        self.tables = nn.Parameter(normal(0.1, TABLES, host.generators))
        self.tables.register_hook(
            lambda gradient: gradient * (1 + share * gradient[0].any() * gradient[-1].any())
        )

    with pytest.raises(InputError, match="gradient of tables gives a seed") if refused else nullcontext():
        attempt(written(Tabled, make=make), monkeypatch)


def test_a_hook_that_keeps_seeds_apart_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(self: Any, host: Host) -> None:
        self.tables = nn.Parameter(normal(0.1, TABLES, host.generators))
        self.tables.register_hook(lambda gradient: gradient / gradient.square().sum((1, 2, 3), True))

    attempt(written(Tabled, make=make), monkeypatch)


def table_of_first(self: Any, block: int) -> Any:
    return self.tables[0, block][None]


def table_of_mean(self: Any, block: int) -> Any:
    return self.tables.mean(0)[block][None].expand(len(self.tables), -1, -1)


def table_of_neighbour(self: Any, block: int) -> Any:
    return self.tables.roll(1, 0)[:, block]


def logits_of_all(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    return logits - logits.mean(0, keepdim=True)


def tokens_of_all(self: Any, block: Any, x: Any) -> Any:
    return x - x.mean(0, keepdim=True)


@pytest.mark.parametrize(
    ("methods", "method"),
    [
        ({"table": table_of_first}, "table"),
        ({"table": table_of_mean}, "table"),
        ({"table": table_of_neighbour}, "table"),
        ({"logits": logits_of_all}, "logits"),
        ({"condition": tokens_of_all}, "condition"),
    ],
)
def test_seeds_that_depend_on_one_another_are_refused(
    methods: Any, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(
        InputError, match=f"^alibi: {method} gives a seed other values alone than beside others"
    ):
        attempt(written(Tabled, **methods), monkeypatch)


def test_examples_that_depend_on_one_another_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def logits(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
        return logits - logits.mean(1, keepdim=True)

    def condition(self: Any, block: Any, x: Any) -> Any:
        return x - x.mean(1, keepdim=True)

    for name, kind in {"logits": written(logits=logits), "condition": written(condition=condition)}.items():
        with pytest.raises(InputError, match=f"^alibi: {name} gives an example other values alone"):
            attempt(kind, monkeypatch)

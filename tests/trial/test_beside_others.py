"""Encodings of a user's own that differ beside other seeds, or among many examples."""

from typing import Any

import pytest
import torch
from small_models import SIZES
from torch import nn
from written_encodings import POSITIONS, TABLES, Tabled, attempt, written

from stages.core.encodings import alibi
from stages.core.encodings.interface import Host
from stages.core.randomness.initial import normal
from stages.core.settings.configuration import Configuration
from stages.core.settings.errors import InputError
from stages.trial.beside_others import check_beside_others

DRAWN: dict[Any, Any] = {}


def make_once(self: Any, host: Host) -> None:
    drawn = DRAWN.setdefault(len(host.indices), normal(0.1, TABLES, host.generators))
    self.tables = nn.Parameter(drawn.clone())


def make_once_for_so_many(self: Any, host: Host) -> None:
    drawn = DRAWN.setdefault((len(host.generators), "many"), normal(0.1, TABLES, host.generators))
    self.tables = nn.Parameter(drawn.clone())


def make_by_place(self: Any, host: Host) -> None:
    drawn = [
        torch.randn(TABLES, generator=torch.Generator().manual_seed(i)) for i in range(len(host.generators))
    ]
    self.register_buffer("tables", torch.stack(drawn))


@pytest.mark.parametrize("make", [make_once, make_once_for_so_many, make_by_place])
def test_a_seed_draws_the_same_whichever_others_stand_beside_it(
    make: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alibi, "Encoding", written(Tabled, make=make))
    with pytest.raises(InputError, match="^alibi: tables of a seed differs where other seeds stand beside"):
        check_beside_others(Configuration("pe", "alibi", {}), POSITIONS, SIZES)


def first_examples(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    first, *others = logits.split(8, dim=1)
    return torch.cat([first - self.penalty[0, rows], *others], dim=1)


def detached_last_examples(self: Any, block: Any, weights: Any, rows: Any) -> Any:
    return torch.cat([weights[:, :100], weights[:, 100:].detach()], dim=1)


def wide_batches(self: Any, block: Any, q: Any, k: Any, rows: Any) -> Any:
    return (q, k) if len(q[0]) < 64 else (q.bfloat16().float(), k)


@pytest.mark.parametrize(
    ("methods", "what"),
    [
        ({"logits": first_examples}, "logits"),
        ({"weights": detached_last_examples}, "the gradient of queries"),
        ({"rotate": wide_batches}, "rotate"),
    ],
)
def test_examples_of_a_large_batch_that_are_treated_otherwise_are_refused(
    methods: Any, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempt(written(**methods), monkeypatch)  # with two examples it passes
    with pytest.raises(InputError, match=f"^alibi: {what} gives an example other values alone than beside"):
        check_beside_others(Configuration("pe", "alibi", {}), POSITIONS, SIZES)

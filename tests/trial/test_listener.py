"""Answers of an encoding that attention cannot go on with are refused by name."""

import re
from typing import Any

import pytest
import torch
from written_encodings import attempt, written

from stages.core.settings.errors import InputError


def inverse(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    return logits + 1 / self.penalty[0, rows]


def logarithm(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    return logits - (self.penalty[0, rows] - 1).log()


def hidden_from_itself(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    return logits + self.penalty[0, rows].log()


def hidden_from_all(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    return logits.masked_fill(self.penalty[0, rows] >= 0, -torch.inf)


def infinite(self: Any, block: int) -> Any:
    return -torch.ones(1, 5, 16) / 0


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        ({"logits": inverse}, "logits holds +inf, expected finite numbers, or -inf to hide a token"),
        ({"logits": logarithm}, "logits holds NaN, expected finite numbers, or -inf to hide a token"),
        ({"logits": hidden_from_all}, "logits hides all tokens from one, all -inf; leave it one to see"),
        ({"table": infinite}, "table holds -inf, expected finite numbers"),
    ],
)
def test_numbers_that_a_loss_cannot_bear_are_refused(
    methods: Any, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match=f"^{re.escape(f'alibi: {message}')}$"):
        attempt(written(**methods), monkeypatch)


def test_a_mask_of_an_encoding_s_own_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    attempt(written(logits=hidden_from_itself), monkeypatch)


@pytest.mark.parametrize(
    ("method", "returns", "given", "expected"),
    [
        ("logits", lambda self, block, logits, *_: logits.double(), "float64 of", "float32 of"),
        ("logits", lambda *_: None, "NoneType", "float32 of"),
        ("weights", lambda self, block, weights, *_: weights[:1], "(1, 2, 2, 5, 5)", "(3, 2, 2, 5, 5)"),
        ("rotate", lambda self, block, q, k, *_: (q[..., 1:], k), "(3, 2, 2, 5, 7)", "(3, 2, 2, 5, 8)"),
        ("rotate", lambda self, block, q, k, *_: (q, k[..., 1:]), "(3, 2, 2, 5, 7)", "(3, 2, 2, 5, 8)"),
        ("rotate", lambda self, block, q, *_: q, "Tensor", "queries and keys"),
        ("mix_values", lambda self, block, mixed, *_: mixed.bool(), "bool of", "float32 of"),
        ("condition", lambda self, block, x: x[:, :, 1:], "(3, 2, 4, 16)", "(3, 2, 5, 16)"),
        ("condition", lambda *_: None, "NoneType", "float32 of"),
        ("table", lambda self, block: torch.zeros(5, 16), "(5, 16)", "(3, 5, 16)"),
        ("table", lambda self, block: torch.zeros(1, 5, 16)[:, :block], "(1, 0, 16)", "(1, 5, 16)"),
    ],
)
def test_what_a_method_must_not_return_is_named(
    method: str, returns: Any, given: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = written(**{method: returns})
    monkeypatch.setattr("stages.core.encodings.lookup.resolve.check_class", lambda *_: None)
    with pytest.raises(InputError) as error:
        attempt(kind, monkeypatch)
    told, _, should = str(error.value).partition(", expected ")
    assert told.startswith(f"alibi: {method} returned ") and given in told and expected in should

"""Encodings of a user's own that let tokens, seeds or examples see others that they must not see."""

from typing import Any

import pytest
from written_encodings import Tabled, Written, attempt, written

from stages.core.settings.configuration import Architecture
from stages.core.settings.errors import InputError


def evened(self: Any, block: Any, weights: Any, rows: Any) -> Any:
    return 0.9 * weights + 0.1 / weights.shape[-1]


def with_all_keys(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    return logits + (q @ k.mean(-2, keepdim=True).mT)


def without_mean(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    return logits - logits.mean(-1, keepdim=True)


@pytest.mark.parametrize("normaliser", ["softmax", "l2_signed"])
@pytest.mark.parametrize(
    ("method", "function"), [("weights", evened), ("logits", with_all_keys), ("logits", without_mean)]
)
def test_a_token_that_sees_a_later_one_under_a_causal_mask_is_refused(
    method: str, function: Any, normaliser: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = written(**{method: function})
    attempt(kind, monkeypatch, Architecture(normaliser=normaliser))  # without a mask it may
    with pytest.raises(
        InputError, match=f"^alibi: {method} lets tokens see later ones, which the causal mask"
    ):
        attempt(kind, monkeypatch, Architecture(normaliser=normaliser, mask="causal"))


def sum_so_far(self: Any, block: Any, x: Any) -> Any:
    return x.cumsum(-2)


def mean_of_all(self: Any, block: Any, x: Any) -> Any:
    return x + x.mean(-2, keepdim=True)


@pytest.mark.parametrize("markers", ["none", "cls_sep"])
def test_tokens_that_are_made_of_later_ones_under_a_causal_mask_are_refused(
    markers: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    masked = Architecture(mask="causal", markers=markers)
    attempt(written(condition=sum_so_far), monkeypatch, masked)
    attempt(written(condition=mean_of_all), monkeypatch, Architecture(markers=markers))
    with pytest.raises(InputError, match="^alibi: condition lets tokens see later ones, which the causal"):
        attempt(written(condition=mean_of_all), monkeypatch, masked)


def test_a_value_of_a_later_token_under_a_causal_mask_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Encoding(Written):
        """Remembers keys from `logits`, and mixes their mean in."""

        def logits(self, block: int, logits: Any, q: Any, k: Any, x: Any, rows: slice) -> Any:
            self._keys = k
            return logits

        def mix_values(self, block: int, mixed: Any, weights: Any, rows: slice) -> Any:
            return mixed + self._keys.mean(-2, keepdim=True)

    with pytest.raises(InputError, match="^alibi: mix_values lets tokens see later ones"):
        attempt(Encoding, monkeypatch, Architecture(mask="causal"))


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

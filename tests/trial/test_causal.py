"""Encodings of a user's own that let tokens see later ones."""

from typing import Any

import pytest
from written_encodings import Written, attempt, of_the_key, written

from stages.core.encodings.interface import Host
from stages.core.settings.configuration import Architecture
from stages.core.settings.errors import InputError


def set_causal(self: Any, host: Host) -> None:
    self.causal = True


def set_casual(self: Any, host: Host) -> None:
    self.casual = True


@pytest.mark.parametrize("make", [set_causal, set_casual])
def test_causal_that_a_method_sets_is_refused(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        InputError, match=r"alibi\.py: ca\w+ is never read; did you mean `causal = True`, in the cl"
    ):
        attempt(written(make=make, logits=of_the_key), monkeypatch)


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

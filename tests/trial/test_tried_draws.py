"""Draws of an encoding of a user's own, each refused that training would not repeat."""

from typing import Any

import numpy as np
import pytest
import torch
from written_encodings import attempt, written

from stages.core.settings.errors import InputError


def unequal(self: Any, generators: Any, batch: int) -> Any:
    return torch.from_numpy(np.random.default_rng().normal(size=(len(generators), 5)))


def mixed(self: Any, generators: Any, batch: int) -> Any:
    return torch.from_numpy(np.stack([generators[0].normal(size=5)] * len(generators)))


def of_none(self: Any, generators: Any, batch: int) -> Any:
    return torch.zeros(5)


def counted(self: Any, generators: Any, batch: int) -> Any:
    return torch.zeros(len(generators), 5 * batch)


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (unequal, "draw differs when it is called again; draw from generators alone"),
        (mixed, "draw of a seed differs where others stand beside it"),
        (of_none, r"draw returned \(5,\), expected finite numbers with a first axis of 3"),
        (counted, r"draw returned \(3, 10\) of 2 examples, expected \[R, ...\], \[R, batch, ...\]"),
    ],
)
def test_draws_that_no_training_repeats_are_refused(
    draw: Any, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match=f"^alibi: {message}"):
        attempt(written(draw=draw, logits=lambda self, block, logits, q, k, x, rows: logits), monkeypatch)


def test_a_draw_that_is_kept_is_refused_and_one_that_is_ignored_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def weights(self: Any, block: Any, weights: Any, rows: Any) -> Any:
        if self.drawn is not None:
            self.__dict__["last"] = self.drawn.mean()
        return weights * self.__dict__.get("last", 1)

    with pytest.raises(InputError, match="^alibi: weights goes on with a draw when self.drawn is None"):
        attempt(written(draw=alike, weights=weights), monkeypatch)
    attempt(written(draw=alike, mix_values=lambda self, block, mixed, weights, rows: mixed), monkeypatch)
    said = "note: alibi: no method answers otherwise with a draw than without"
    assert said in capsys.readouterr().out
    reads = written(draw=alike, weights=lambda self, block, weights, rows: weights * (self.drawn is None))
    attempt(reads, monkeypatch)
    assert said not in capsys.readouterr().out


def alike(self: Any, generators: Any, batch: int) -> Any:
    return torch.full((len(generators), 5), 0.5)


def of_each(self: Any, generators: Any, batch: int) -> Any:
    return torch.from_numpy(np.stack([one.random((batch, 5)) for one in generators])).float()


@pytest.mark.parametrize("sees_all", [False, True])
def test_what_is_drawn_is_tried_as_all_else(sees_all: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows, seeds and examples are held apart with draws too, which scoring would not show."""

    def weights(self: Any, block: Any, weights: Any, rows: Any) -> Any:
        if self.drawn is None:
            return weights
        drawn = self.drawn[:, :, None, rows, None]
        return weights * (drawn.mean(1, keepdim=True) if sees_all else drawn)

    kind = written(draw=of_each, weights=weights)
    if not sees_all:
        attempt(kind, monkeypatch)
        return
    with pytest.raises(InputError, match="^alibi: weights gives an example other values alone"):
        attempt(kind, monkeypatch)

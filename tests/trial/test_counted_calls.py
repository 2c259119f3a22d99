"""An encoding whose values change with every call is refused, wherever it counts."""

import itertools
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from written_encodings import Written, attempt

from stages.core.encodings.interface import Host, PositionalEncoding
from stages.core.settings.errors import InputError


class Stepping(Written):
    """Sets in only after a hundred calls."""

    def make(self, host: Host) -> None:
        self.step = 0

    def logits(self, block: int, logits: Any, q: Any, k: Any, x: Any, rows: slice) -> Any:
        self.step += 1
        return logits - self.penalty[0, rows] * min(1.0, max(0, self.step - 100) / 1000)


class SteppingInAModule(Written):
    def make(self, host: Host) -> None:
        self.part = nn.Identity()
        vars(self.part)["_calls"] = 0.0

    def weights(self, block: int, weights: Any, rows: slice) -> Any:
        vars(self.part)["_calls"] += 0.5
        return weights - 0 * self.penalty[0, rows]


class SteppingInABuffer(Written):
    calls: torch.Tensor

    def logits(self, block: int, logits: Any, q: Any, k: Any, x: Any, rows: slice) -> Any:
        self.calls += 1
        return logits - self.penalty[0, rows]

    def make(self, host: Host) -> None:
        self.register_buffer("calls", torch.zeros(1))


class SteppingInAList(Written):
    def make(self, host: Host) -> None:
        self.seen: list[int] = []

    def weights(self, block: int, weights: Any, rows: slice) -> Any:
        self.seen.append(block)
        return weights - 0 * len(self.seen)


class SteppingInItsClass(Written):
    calls = 0

    def weights(self, block: int, weights: Any, rows: slice) -> Any:
        type(self).calls += 1
        return weights - 0 * self.calls


CALLS = 0


class SteppingInItsFile(Written):
    def weights(self, block: int, weights: Any, rows: slice) -> Any:
        global CALLS
        CALLS += 1
        return weights - 0 * CALLS


class SteppingInACounter(Written):
    def make(self, host: Host) -> None:
        self.clock = itertools.count()

    def weights(self, block: int, weights: Any, rows: slice) -> Any:
        return weights - 0 * next(self.clock)


class SteppingInATuple(Written):
    def make(self, host: Host) -> None:
        self.state = ([0],)

    def weights(self, block: int, weights: Any, rows: slice) -> Any:
        self.state[0][0] += 1
        return weights - 0 * self.state[0][0]


class SteppingInANamespace(Written):
    def make(self, host: Host) -> None:
        self.state = SimpleNamespace(calls={"here": 0})

    def weights(self, block: int, weights: Any, rows: slice) -> Any:
        self.state.calls["here"] += 1
        return weights - 0 * self.penalty[0, rows]


class SteppingInAnArray(Written):
    def make(self, host: Host) -> None:
        self.steps = np.zeros(1)

    def weights(self, block: int, weights: Any, rows: slice) -> Any:
        self.steps += 1
        return weights - 0 * self.penalty[0, rows]


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (SteppingInItsFile, "CALLS"),
        (SteppingInACounter, "clock"),
        (SteppingInATuple, "state"),
        (SteppingInANamespace, "state"),
        (SteppingInAnArray, "steps"),
        (Stepping, "step"),
        (SteppingInAModule, "part._calls"),
        (SteppingInABuffer, "calls"),
        (SteppingInAList, "seen"),
        (SteppingInItsClass, "calls"),
    ],
)
def test_a_count_of_calls_is_refused(
    kind: type[PositionalEncoding], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(
        InputError, match=f"^alibi: {name} changes with every call, expected values that stay"
    ):
        attempt(kind, monkeypatch)


def test_a_number_that_is_found_at_the_first_call_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    class Encoding(Written):
        def logits(self, block: int, logits: Any, q: Any, k: Any, x: Any, rows: slice) -> Any:
            self._slope = 0.5
            return logits - self._slope * self.penalty[0, rows]

    attempt(Encoding, monkeypatch)

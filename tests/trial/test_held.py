"""A value that an encoding holds outside parameters and buffers is refused if it decides a number."""

import itertools
import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from written_encodings import TABLES, Tabled, Written, attempt

from stages.core.encodings.interface import Host, PositionalEncoding
from stages.core.randomness.initial import normal
from stages.core.settings.errors import InputError


class Counting(Written):
    calls = 0

    def table(self, block: int) -> Any:
        self.calls += 1
        return torch.full((1, 5, 16), float(self.calls))


class Noisy(Written):
    def logits(self, block: int, logits: Any, q: Any, k: Any, x: Any, rows: slice) -> Any:
        return logits + torch.rand_like(logits)


class Plain(Tabled):
    plain: Any

    def make(self, host: Host) -> None:
        super().make(host)
        self.plain = normal(0.1, TABLES, host.generators)

    def table(self, block: int) -> Any:
        return self.tables[:, block] + self.plain.mean()


class PlainOfSeeds(Plain):
    def table(self, block: int) -> Any:
        return self.tables[:, block] + self.plain[:, block]


class Listed(Plain):
    def make(self, host: Host) -> None:
        Tabled.make(self, host)
        self.plain = [torch.ones(5, 16)]

    def table(self, block: int) -> Any:
        return self.tables[:, block] + self.plain[0]


class Cached(Tabled):
    def table(self, block: int) -> Any:
        self.cache = {block: super().table(block)}
        return self.cache[block]


class Arrays(Tabled):
    def make(self, host: Host) -> None:
        super().make(host)
        self.scale = np.ones((len(host.generators), 1, 1), np.float32)

    def table(self, block: int) -> Any:
        return self.tables[:, block] * torch.from_numpy(self.scale)


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (Counting, "table gives other values when it is called again"),
        (Noisy, "draws from the global stream of torch or seeds it"),
        (Plain, 'plain is a plain tensor, .*; write self.register_buffer("plain", ...)'),
        (PlainOfSeeds, 'plain is a plain tensor, .*; write self.register_buffer("plain", ...)'),
        (Listed, "plain is a plain tensor"),
        (Cached, "cache is a plain tensor"),
        (Arrays, "fails for one seed of 3 alone, as where memory is short: table returned float32 of"),
    ],
)
def test_what_a_model_does_not_know_of_decides_nothing(
    kind: type[PositionalEncoding], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = re.escape(message).replace(r"\.\*", ".*")
    with pytest.raises(InputError, match=f"^alibi: {said}"):
        attempt(kind, monkeypatch)


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

"""A value that an encoding holds outside parameters and buffers is refused if it decides a number."""

import re
from typing import Any

import numpy as np
import pytest
import torch
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

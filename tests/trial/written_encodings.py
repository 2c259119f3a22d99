"""Encodings of a user's own, as tests write them, and their trial."""

from typing import Any

import numpy as np
import pytest
import torch
from small_models import SIZES
from torch import Tensor, nn

from stages.core.encodings import alibi
from stages.core.encodings.interface import Host, PositionalEncoding
from stages.core.positions.positions import Positions
from stages.core.randomness.initial import normal
from stages.core.settings.configuration import Architecture, Configuration
from stages.tasks.probe.task import Probe
from stages.trial.try_out import try_out

PROBE = Probe(5, torch.device("cpu")).positions
POSITIONS = Positions(5, PROBE.coordinates, PROBE.adjacency, np.eye(5) + 0.3, PROBE.distances)
TABLES = (2, 5, 16)  # blocks, tokens, width


class Written(PositionalEncoding):
    """The encodings below share a penalty, and one table per seed and block."""

    penalty: Tensor

    def __init__(self, host: Host) -> None:
        super().__init__()
        place = torch.tensor(host.indices, dtype=torch.float32)
        self.register_buffer("penalty", (place - place[:, None]).abs()[None])
        self.make(host)

    def make(self, host: Host) -> None: ...


class Tabled(Written):
    def make(self, host: Host) -> None:
        self.tables = nn.Parameter(normal(0.1, TABLES, host.generators))

    def table(self, block: int) -> Any:
        return self.tables[:, block]


def written(base: type[PositionalEncoding] = Written, **methods: Any) -> type[PositionalEncoding]:
    return type("Encoding", (base,), methods)


def attempt(
    kind: type[PositionalEncoding], monkeypatch: pytest.MonkeyPatch, architecture: Architecture | None = None
) -> None:
    monkeypatch.setattr(alibi, "Encoding", kind)
    try_out(Configuration("pe", "alibi", {}, architecture or Architecture()), POSITIONS, SIZES)


def of_the_key(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    return logits - self.penalty[0, 0] * (block == 1)

"""Encodings of a user's own whose values would not be the same when made again, each refused by name."""

import random
import re
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from written_encodings import TABLES, Tabled, attempt, written

from stages.core.encodings.interface import Host
from stages.core.settings.errors import InputError


def first_rows(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    return logits - self.penalty[0, : logits.shape[-2]]


def make_seeded(self: Any, host: Host) -> None:
    torch.manual_seed(0)
    self.tables = nn.Parameter(torch.randn(1, *TABLES).repeat(len(host.generators), 1, 1, 1))


def make_numpy_seeded(self: Any, host: Host) -> None:
    np.random.seed(0)  # noqa: NPY002
    drawn = np.stack([np.random.randn(*TABLES) for _ in host.generators])  # noqa: NPY002
    self.tables = nn.Parameter(torch.from_numpy(drawn).float())


def make_global(self: Any, host: Host) -> None:
    self.tables = nn.Parameter(torch.randn(len(host.generators), *TABLES))


def make_numpy_global(self: Any, host: Host) -> None:
    drawn = np.random.normal(size=(len(host.generators), *TABLES))  # noqa: NPY002
    self.register_buffer("tables", torch.from_numpy(drawn).float())


def make_unseeded(self: Any, host: Host) -> None:
    drawn = np.random.default_rng().normal(size=(len(host.generators), *TABLES))
    self.tables = nn.Parameter(torch.from_numpy(drawn).float())


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (make_seeded, "draws from the global stream of torch or seeds it, expected host.generators"),
        (make_numpy_seeded, "draws from the global stream of numpy or seeds it, expected host.generators"),
        (make_global, "draws from the global stream of torch or seeds it"),
        (make_numpy_global, "draws from the global stream of numpy or seeds it"),
        (make_unseeded, "tables differs when the same cell is made again; draw it from host.generators"),
    ],
)
def test_initial_values_come_from_the_seeds_streams_alone(
    make: Any, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = torch.get_rng_state(), repr(np.random.get_state()), random.getstate()  # noqa: NPY002
    for _ in range(2):
        with pytest.raises(InputError, match=f"^alibi: {message}"):
            attempt(written(Tabled, make=make), monkeypatch)
    assert torch.equal(before[0], torch.get_rng_state())
    assert before[1:] == (repr(np.random.get_state()), random.getstate())  # noqa: NPY002


def test_a_parameter_that_seeds_would_share_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for shape in ((2,), ()):

        def make(self: Any, host: Host, shape: Any = shape) -> None:
            self.slope = nn.Parameter(torch.zeros(shape))

        with pytest.raises(InputError, match=rf"^alibi: parameter slope has shape {re.escape(str(shape))}, "):
            attempt(written(make=make, logits=first_rows), monkeypatch)

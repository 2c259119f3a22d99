"""Encodings of a user's own that would train on other numbers than their file says, each refused by name."""

import itertools
import re
from copy import deepcopy
from typing import Any

import numpy as np
import pytest
import torch
from hosts import ALONE
from small_models import SIZES
from written_encodings import POSITIONS, Written, attempt, of_the_key, written

from stages.core.encodings.interface import Host
from stages.core.plain import Encoding as Plain
from stages.core.settings.configuration import Architecture, Configuration
from stages.core.settings.errors import InputError
from stages.trial.beside_others import check_beside_others
from stages.trial.try_out import try_out


def test_an_encoding_that_waits_for_evaluation_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def logits(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
        return logits - self.penalty[0, rows] * (1 if self.training else 2)

    with pytest.raises(InputError, match="^alibi: logits gives other values when self.training is False"):
        attempt(written(logits=logits), monkeypatch)


def doubled_in_training(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    return logits - self.penalty[0, rows] * (2 if torch.is_grad_enabled() else 1)


def doubled_for_leaves(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    return logits - self.penalty[0, rows] * (2 if q.requires_grad else 1)


def slowly(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    return logits - self.penalty[0, rows] * 0.99999 ** next(self.__class__.clock[0])


@pytest.mark.parametrize("logits", [doubled_in_training, doubled_for_leaves])
def test_what_trains_and_scores_otherwise_is_refused(logits: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="^alibi: logits gives other values where gradients are taken"):
        attempt(written(logits=logits), monkeypatch)


def test_a_change_of_a_hundred_thousandth_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    class Encoding(Written):
        clock = (itertools.count(),)
        logits = slowly

    with pytest.raises(InputError, match="^alibi: logits gives other values when it is called again"):
        attempt(Encoding, monkeypatch)


ARCHITECTURES = [
    Architecture(),
    Architecture(normaliser="exp_mean", markers="cls_sep"),
    Architecture(block="gau", mask="causal"),
    *(
        pytest.param(one, marks=pytest.mark.thorough)
        for one in (Architecture(normaliser="l2"), Architecture(normaliser="l2_signed", mask="causal"))
    ),
]


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_every_encoding_of_ours_passes_whatever_model_is_around_it(architecture: Architecture) -> None:
    refused = {}
    for scheme in ALONE:
        try:
            configuration = Configuration("pe", scheme, {}, architecture)
            try_out(configuration, POSITIONS, SIZES)
            check_beside_others(configuration, POSITIONS, SIZES)
        except InputError as error:
            refused[scheme] = str(error)
    ours = re.compile("marker tokens given|is causal itself")
    assert not {scheme: said for scheme, said in refused.items() if not ours.search(said)}


def make_of_the_filled(self: Any, host: Host) -> None:
    np.fill_diagonal(host.positions.adjacency, 1)  # type: ignore[arg-type]


def make_of_the_centred(self: Any, host: Host) -> None:
    place = host.positions.coordinates
    place -= place.mean(0)  # type: ignore[union-attr]


def make_of_the_cut(self: Any, host: Host) -> None:
    for distances in host.positions.distances.values():
        distances[distances > 1] = 2


@pytest.mark.parametrize("make", [make_of_the_filled, make_of_the_centred, make_of_the_cut])
def test_positions_that_are_edited_in_place_are_refused(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("written_encodings.POSITIONS", deepcopy(POSITIONS))
    with pytest.raises(InputError, match=r"^alibi: edits host\.positions in place, which other encodings"):
        attempt(written(make=make, logits=of_the_key), monkeypatch)


def from_coordinates(self: Any, host: Host) -> None:
    self.register_buffer("far", torch.from_numpy(host.positions.coordinates)[None])


def by_edges(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    return logits - torch.from_numpy(self.positions.adjacency).float()[rows]


def by_distances(self: Any, host: Host) -> None:
    self.register_buffer("far", torch.from_numpy([*host.positions.distances.values()][0])[None])


def keep(self: Any, host: Host) -> None:
    self.positions = host.positions


@pytest.mark.parametrize(
    ("methods", "read"),
    [
        ({"make": from_coordinates, "logits": of_the_key}, "coordinates"),
        ({"make": by_distances, "logits": of_the_key}, "distances"),
        ({"make": keep, "logits": by_edges}, "adjacency"),
    ],
)
def test_what_reads_more_than_indices_is_not_by_index(
    methods: Any, read: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = f"alibi: host.positions.{read} is read, but by_index = True says that host.indices alone are"
    kind = written(by_index=True, **methods)
    with pytest.raises(InputError, match=said):
        attempt(kind, monkeypatch)
    q = torch.zeros(1, 4, 5, 8)
    with pytest.raises(InputError, match=said):
        Plain("alibi", width=32, heads=4).logits(q, q, [0, 1, 2, 10, 11])

"""Encodings of a user's own that would train on other numbers than their file says, each refused by name."""

import itertools
import random
import re
from copy import deepcopy
from typing import Any

import numpy as np
import pytest
import torch
from hosts import ALONE
from small_models import SIZES
from torch import nn
from written_encodings import POSITIONS, TABLES, Tabled, Written, attempt, of_the_key, written

from stages.core.encodings import alibi
from stages.core.encodings.interface import Host
from stages.core.plain import Encoding as Plain
from stages.core.randomness.initial import normal
from stages.core.settings.configuration import Architecture, Configuration
from stages.core.settings.errors import InputError
from stages.trial.try_out import check_beside_others, try_out


def first_rows(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    return logits - self.penalty[0, : logits.shape[-2]]


def last_rows(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    return logits - self.penalty[0, -logits.shape[-2] :]


def mean_row(self: Any, block: Any, weights: Any, rows: Any) -> Any:
    return weights / weights.sum(-2, keepdim=True)


def turned_from_the_first(self: Any, block: Any, q: Any, k: Any, rows: Any) -> Any:
    return q * torch.arange(1.0, q.shape[-2] + 1)[:, None], k


@pytest.mark.parametrize(
    ("methods", "method", "rows"),
    [
        ({"logits": first_rows}, "logits", "row 4"),
        ({"logits": last_rows}, "logits", "row 0"),
        ({"weights": mean_row}, "weights", "row 0"),
        ({"rotate": turned_from_the_first}, "rotate", "row 4"),
    ],
)
def test_rows_that_are_answered_otherwise_alone_are_refused(
    methods: Any, method: str, rows: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError) as error:
        attempt(written(**methods), monkeypatch)
    assert str(error.value) == (
        f"alibi: {method} gives other values for {rows} alone than for all rows; use the argument rows"
    )


def test_an_encoding_that_waits_for_evaluation_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def logits(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
        return logits - self.penalty[0, rows] * (1 if self.training else 2)

    with pytest.raises(InputError, match="^alibi: logits gives other values when self.training is False"):
        attempt(written(logits=logits), monkeypatch)


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


DRAWN: dict[Any, Any] = {}


def make_once(self: Any, host: Host) -> None:
    drawn = DRAWN.setdefault(len(host.indices), normal(0.1, TABLES, host.generators))
    self.tables = nn.Parameter(drawn.clone())


def make_once_for_so_many(self: Any, host: Host) -> None:
    drawn = DRAWN.setdefault((len(host.generators), "many"), normal(0.1, TABLES, host.generators))
    self.tables = nn.Parameter(drawn.clone())


def make_by_place(self: Any, host: Host) -> None:
    drawn = [
        torch.randn(TABLES, generator=torch.Generator().manual_seed(i)) for i in range(len(host.generators))
    ]
    self.register_buffer("tables", torch.stack(drawn))


@pytest.mark.parametrize("make", [make_once, make_once_for_so_many, make_by_place])
def test_a_seed_draws_the_same_whichever_others_stand_beside_it(
    make: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alibi, "Encoding", written(Tabled, make=make))
    with pytest.raises(InputError, match="^alibi: tables of a seed differs where other seeds stand beside"):
        check_beside_others(Configuration("pe", "alibi", {}), POSITIONS, SIZES)


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


def test_a_parameter_that_seeds_would_share_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for shape in ((2,), ()):

        def make(self: Any, host: Host, shape: Any = shape) -> None:
            self.slope = nn.Parameter(torch.zeros(shape))

        with pytest.raises(InputError, match=rf"^alibi: parameter slope has shape {re.escape(str(shape))}, "):
            attempt(written(make=make, logits=first_rows), monkeypatch)


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


def first_examples(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    first, *others = logits.split(8, dim=1)
    return torch.cat([first - self.penalty[0, rows], *others], dim=1)


def detached_last_examples(self: Any, block: Any, weights: Any, rows: Any) -> Any:
    return torch.cat([weights[:, :100], weights[:, 100:].detach()], dim=1)


def wide_batches(self: Any, block: Any, q: Any, k: Any, rows: Any) -> Any:
    return (q, k) if len(q[0]) < 64 else (q.bfloat16().float(), k)


@pytest.mark.parametrize(
    ("methods", "what"),
    [
        ({"logits": first_examples}, "logits"),
        ({"weights": detached_last_examples}, "the gradient of queries"),
        ({"rotate": wide_batches}, "rotate"),
    ],
)
def test_examples_of_a_large_batch_that_are_treated_otherwise_are_refused(
    methods: Any, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempt(written(**methods), monkeypatch)  # with two examples it passes
    with pytest.raises(InputError, match=f"^alibi: {what} gives an example other values alone than beside"):
        check_beside_others(Configuration("pe", "alibi", {}), POSITIONS, SIZES)


def make_hooked(self: Any, host: Host) -> None:
    self.tables = nn.Parameter(normal(0.1, TABLES, host.generators))
    self.tables.register_hook(lambda gradient: gradient / gradient.norm())


def centre(parameter: Any) -> None:
    parameter.grad -= parameter.grad.mean(0)


def make_hooked_after(self: Any, host: Host) -> None:
    self.tables = nn.Parameter(normal(0.1, TABLES, host.generators))
    self.tables.register_post_accumulate_grad_hook(centre)


def hooked_table(self: Any, block: int) -> Any:
    table = 1 * self.tables[:, block]
    if table.requires_grad:
        table.register_hook(lambda gradient: gradient / gradient.norm())
    return table


def hooked_logits(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    biased = logits - self.penalty[0, rows]
    if biased.requires_grad:
        biased.register_hook(lambda gradient: gradient.clamp(max=gradient.std()))
    return biased


@pytest.mark.parametrize(
    ("methods", "what"),
    [
        ({"make": make_hooked}, "tables"),
        ({"make": make_hooked_after}, "tables"),
        ({"table": hooked_table}, "tables"),
        ({"logits": hooked_logits}, "queries"),
    ],
)
def test_gradients_of_seeds_that_depend_on_one_another_are_refused(
    methods: Any, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match=f"^alibi: the gradient of {what} gives a seed other values alone"):
        attempt(written(Tabled, **methods), monkeypatch)


def test_a_hook_that_keeps_seeds_apart_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(self: Any, host: Host) -> None:
        self.tables = nn.Parameter(normal(0.1, TABLES, host.generators))
        self.tables.register_hook(lambda gradient: gradient / gradient.square().sum((1, 2, 3), True))

    attempt(written(Tabled, make=make), monkeypatch)


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

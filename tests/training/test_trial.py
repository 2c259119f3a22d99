"""Encodings of a user's own that would train on other numbers than their file says, each refused by name."""

import random
import re
from math import log
from typing import Any

import numpy as np
import pytest
import torch
from small_models import SIZES
from torch import Tensor, nn

from stages.encodings import alibi
from stages.encodings.interface import Host, PositionalEncoding, schemes
from stages.parameters.errors import InputError
from stages.parameters.params import Architecture, Configuration
from stages.positions.positions import Positions
from stages.randomness.initial import normal
from stages.tasks.probe.task import Probe
from stages.training.trial import try_out

PROBE = Probe(5, torch.device("cpu")).positions
POSITIONS = Positions(5, PROBE.coordinates, PROBE.adjacency, np.eye(5) + 0.3, PROBE.distances)
TABLES = (2, 5, 16)  # blocks, tokens, width


class Written(PositionalEncoding):
    """What the encodings below share: a penalty, and one table per seed and block."""

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


def first_rows(self: Any, block: Any, logits: Any, q: Any, k: Any, rows: Any) -> Any:
    return logits - self.penalty[0, : logits.shape[-2]]


def last_rows(self: Any, block: Any, logits: Any, q: Any, k: Any, rows: Any) -> Any:
    return logits - self.penalty[0, -logits.shape[-2] :]


def mean_row(self: Any, block: Any, weights: Any, rows: Any) -> Any:
    return weights / weights.sum(-2, keepdim=True)


def turned_from_the_first(self: Any, block: Any, x: Any, rows: Any) -> Any:
    return x * torch.arange(1.0, x.shape[-2] + 1)[:, None]


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


def evened(self: Any, block: Any, weights: Any, rows: Any) -> Any:
    return 0.9 * weights + 0.1 / weights.shape[-1]


def with_all_keys(self: Any, block: Any, logits: Any, q: Any, k: Any, rows: Any) -> Any:
    return logits + (q @ k.mean(-2, keepdim=True).mT)


def without_mean(self: Any, block: Any, logits: Any, q: Any, k: Any, rows: Any) -> Any:
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


def test_a_value_of_a_later_token_under_a_causal_mask_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Encoding(Written):
        """Remembers keys from `logits`, and mixes their mean in."""

        def logits(self, block: int, logits: Any, q: Any, k: Any, rows: slice) -> Any:
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


def logits_of_all(self: Any, block: Any, logits: Any, q: Any, k: Any, rows: Any) -> Any:
    return logits - logits.mean(0, keepdim=True)


@pytest.mark.parametrize(
    ("methods", "method"),
    [
        ({"table": table_of_first}, "table"),
        ({"table": table_of_mean}, "table"),
        ({"table": table_of_neighbour}, "table"),
        ({"logits": logits_of_all}, "logits"),
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
    def logits(self: Any, block: Any, logits: Any, q: Any, k: Any, rows: Any) -> Any:
        return logits - logits.mean(1, keepdim=True)

    with pytest.raises(InputError, match="^alibi: logits gives an example other values alone"):
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
        (make_global, "tables differs when the same cell is made again; draw it from host.generators"),
        (make_numpy_global, "tables differs when the same cell is made again"),
        (make_unseeded, "tables differs when the same cell is made again"),
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


def test_values_that_all_seeds_start_from_are_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def make(self: Any, host: Host) -> None:
        drawn = torch.randn(TABLES, generator=torch.Generator().manual_seed(0))
        self.tables = nn.Parameter(drawn.repeat(len(host.generators), 1, 1, 1))

    attempt(written(Tabled, make=make), monkeypatch)
    assert capsys.readouterr().out == "alibi: parameter tables starts from the same values in every seed\n"


def table_of_data(self: Any, block: int) -> Any:
    return self.tables.data[:, block]


def table_of_rounded(self: Any, block: int) -> Any:
    return self.tables.round()[:, block]


def table_of_none(self: Any, block: int) -> Any:
    return torch.ones(1, 5, 16)


@pytest.mark.parametrize("table", [table_of_data, table_of_rounded, table_of_none])
def test_a_parameter_that_is_never_trained_is_refused(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="^alibi: parameter tables gets no gradient, so it is never trained"):
        attempt(written(Tabled, table=table), monkeypatch)


def test_a_parameter_without_a_gradient_at_the_start_alone_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    class Encoding(Written):
        def make(self, host: Host) -> None:
            r = len(host.generators)
            self.left = nn.Parameter(normal(0.1, (2, 5, 3), host.generators))
            self.right = nn.Parameter(torch.zeros(r, 2, 3, 16))  # as in low-rank updates: left waits for it
            self.slope = nn.Parameter(torch.full((r, host.heads), log(0.5)))
            self.frozen = nn.Parameter(torch.ones(r), requires_grad=False)

        def table(self, block: int) -> Any:
            return self.left[:, block] @ self.right[:, block]

        def logits(self, block: int, logits: Any, q: Any, k: Any, rows: slice) -> Any:
            slope = self.slope.exp()[:, None, :, None, None]
            return logits - slope * self.penalty[0, rows] * (block == 0)  # in one block alone

    attempt(Encoding, monkeypatch)


def inverse(self: Any, block: Any, logits: Any, q: Any, k: Any, rows: Any) -> Any:
    return logits + 1 / self.penalty[0, rows]


def logarithm(self: Any, block: Any, logits: Any, q: Any, k: Any, rows: Any) -> Any:
    return logits - (self.penalty[0, rows] - 1).log()


def hidden_from_itself(self: Any, block: Any, logits: Any, q: Any, k: Any, rows: Any) -> Any:
    return logits + self.penalty[0, rows].log()


def hidden_from_all(self: Any, block: Any, logits: Any, q: Any, k: Any, rows: Any) -> Any:
    return logits.masked_fill(self.penalty[0, rows] >= 0, -torch.inf)


def infinite(self: Any, block: int) -> Any:
    return -torch.ones(1, 5, 16) / 0


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        ({"logits": inverse}, "logits holds +inf, expected finite numbers, or -inf to hide a token"),
        ({"logits": logarithm}, "logits holds NaN, expected finite numbers, or -inf to hide a token"),
        ({"logits": hidden_from_all}, "logits hides all tokens from one, all -inf; leave it one to see"),
        ({"table": infinite}, "table holds -inf, expected finite numbers"),
    ],
)
def test_numbers_that_a_loss_cannot_bear_are_refused(
    methods: Any, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match=f"^{re.escape(f'alibi: {message}')}$"):
        attempt(written(**methods), monkeypatch)


def test_a_mask_of_an_encoding_s_own_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    attempt(written(logits=hidden_from_itself), monkeypatch)


class Counting(Written):
    calls = 0

    def table(self, block: int) -> Any:
        self.calls += 1
        return torch.full((1, 5, 16), float(self.calls))


class Noisy(Written):
    def logits(self, block: int, logits: Any, q: Any, k: Any, rows: slice) -> Any:
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
        (Noisy, "logits gives other values when it is called again"),
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

    def logits(self, block: int, logits: Any, q: Any, k: Any, rows: slice) -> Any:
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

    def logits(self, block: int, logits: Any, q: Any, k: Any, rows: slice) -> Any:
        self.calls += 1
        return logits - self.penalty[0, rows]

    def make(self, host: Host) -> None:
        self.register_buffer("calls", torch.zeros(1))


@pytest.mark.parametrize(
    ("kind", "name"), [(Stepping, "step"), (SteppingInAModule, "part._calls"), (SteppingInABuffer, "calls")]
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
        def logits(self, block: int, logits: Any, q: Any, k: Any, rows: slice) -> Any:
            self._slope = 0.5
            return logits - self._slope * self.penalty[0, rows]

    attempt(Encoding, monkeypatch)


def of_the_query(self: Any, block: Any, logits: Any, q: Any, k: Any, rows: Any) -> Any:
    return logits - self.penalty[0, 0, rows, None]


def of_the_query_s_content(self: Any, block: Any, logits: Any, q: Any, k: Any, rows: Any) -> Any:
    return logits + q.sum(-1, keepdim=True)


def of_later_keys(self: Any, block: Any, logits: Any, q: Any, k: Any, rows: Any) -> Any:
    return logits + torch.ones(5, 5).triu(1)[rows]


def of_the_key(self: Any, block: Any, logits: Any, q: Any, k: Any, rows: Any) -> Any:
    return logits - self.penalty[0, 0] * (block == 1)


@pytest.mark.parametrize(
    ("logits", "architecture", "cancelled"),
    [
        (of_the_query, Architecture(), True),
        (of_the_query_s_content, Architecture(), True),
        (of_the_query, Architecture(normaliser="l2"), True),
        (of_later_keys, Architecture(mask="causal"), True),
        (of_the_query, Architecture(normaliser="relu2_mean"), False),
        (of_the_key, Architecture(), False),
    ],
)
def test_logits_that_change_no_attention_weight_are_said(
    logits: Any,
    architecture: Architecture,
    cancelled: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    attempt(written(logits=logits), monkeypatch, architecture)
    said = "note: alibi: attention weights stay as they are, since what logits adds is alike for all keys"
    assert capsys.readouterr().out.startswith(said) == cancelled


class Far(Written):
    """Waves of places of thousands."""

    def make(self, host: Host) -> None:
        self.frequencies = nn.Parameter(normal(1.0, (1, 16), host.generators))

    def waves(self) -> Tensor:
        return torch.sin((self.penalty[:, 0, :, None] + 1000) @ self.frequencies)


class FarTable(Far):
    def table(self, block: int) -> Any:
        return self.waves()


class FarBias(Far):
    def logits(self, block: int, logits: Any, q: Any, k: Any, rows: slice) -> Any:
        return logits + self.waves().sum(-1)[:, None, None, None]


class FarExactly(Far):
    def table(self, block: int) -> Any:
        with torch.autocast("cpu", enabled=False):
            return self.waves()


@pytest.mark.parametrize(("kind", "method"), [(FarTable, "table"), (FarBias, "logits"), (FarExactly, None)])
def test_places_that_bf16_loses_are_said(
    kind: type[PositionalEncoding],
    method: str | None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    attempt(kind, monkeypatch)
    said = capsys.readouterr().out
    assert (
        re.match(rf"note: alibi: {method} changes by \d+% with matrix products in bf16", said) or not method
    )
    assert bool(said) == bool(method)


@pytest.mark.parametrize("scheme", schemes())
def test_nothing_is_said_of_the_project_s_own(scheme: str, capsys: pytest.CaptureFixture[str]) -> None:
    try_out(Configuration("pe", scheme, {}), POSITIONS, SIZES)
    assert not capsys.readouterr().out


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


@pytest.mark.parametrize(
    ("method", "returns", "given", "expected"),
    [
        ("logits", lambda self, block, logits, *_: logits.double(), "float64 of", "float32 of"),
        ("logits", lambda *_: None, "NoneType", "float32 of"),
        ("weights", lambda self, block, weights, *_: weights[:1], "(1, 2, 2, 5, 5)", "(3, 2, 2, 5, 5)"),
        ("rotate", lambda self, block, x, *_: x[..., 1:], "(3, 2, 2, 5, 7)", "(3, 2, 2, 5, 8)"),
        ("mix_values", lambda self, block, mixed, *_: mixed.bool(), "bool of", "float32 of"),
        ("table", lambda self, block: torch.zeros(5, 16), "(5, 16)", "(3, 5, 16)"),
        ("table", lambda self, block: torch.zeros(1, 5, 16)[:, :block], "(1, 0, 16)", "(1, 5, 16)"),
    ],
)
def test_what_a_method_must_not_return_is_named(
    method: str, returns: Any, given: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = written(**{method: returns})
    monkeypatch.setattr("stages.encodings.interface.check_class", lambda *_: None)
    with pytest.raises(InputError) as error:
        attempt(kind, monkeypatch)
    told, _, should = str(error.value).partition(", expected ")
    assert told.startswith(f"alibi: {method} returned ") and given in told and expected in should


def test_a_parameter_that_seeds_would_share_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for shape in ((2,), ()):

        def make(self: Any, host: Host, shape: Any = shape) -> None:
            self.slope = nn.Parameter(torch.zeros(shape))

        with pytest.raises(InputError, match=rf"^alibi: parameter slope has shape {re.escape(str(shape))}, "):
            attempt(written(make=make, logits=first_rows), monkeypatch)


ARCHITECTURES = [
    Architecture(),
    Architecture(normaliser="l2"),
    Architecture(normaliser="l2_signed", mask="causal"),
    Architecture(normaliser="exp_mean", markers="cls_sep"),
    Architecture(block="gau", mask="causal"),
]


@pytest.mark.parametrize("architecture", ARCHITECTURES, ids=lambda kind: f"{kind.block}-{kind.normaliser}")
def test_every_encoding_of_ours_passes_whatever_model_is_around_it(architecture: Architecture) -> None:
    refused = {}
    for scheme in schemes():
        try:
            try_out(Configuration("pe", scheme, {}, architecture), POSITIONS, SIZES)
        except InputError as error:
            refused[scheme] = str(error)
    ours = re.compile("marker tokens given|is causal itself")
    assert not {scheme: said for scheme, said in refused.items() if not ours.search(said)}

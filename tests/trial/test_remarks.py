"""Odd things about an encoding that may be meant are said; the project's own encodings have none."""

import re
from typing import Any

import pytest
import torch
from hosts import ALONE
from small_models import SIZES
from torch import Tensor, nn
from written_encodings import POSITIONS, TABLES, Tabled, Written, attempt, of_the_key, written

from stages.core.encodings.interface import Host, PositionalEncoding
from stages.core.randomness.initial import normal
from stages.core.settings.configuration import Architecture, Configuration
from stages.trial.try_out import try_out


def test_values_that_all_seeds_start_from_are_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def make(self: Any, host: Host) -> None:
        drawn = torch.randn(TABLES, generator=torch.Generator().manual_seed(0))
        self.tables = nn.Parameter(drawn.repeat(len(host.generators), 1, 1, 1))

    attempt(written(Tabled, make=make), monkeypatch)
    assert capsys.readouterr().out == "alibi: parameter tables starts from the same values in every seed\n"


def of_the_query(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    return logits - self.penalty[0, 0, rows, None]


def of_the_query_s_content(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    return logits + q.sum(-1, keepdim=True)


def of_later_keys(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    return logits + torch.ones(5, 5).triu(1)[rows]


def without_the_given(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    places = torch.arange(5)
    return -(places[rows, None] - places).abs().to(logits.dtype).expand_as(logits).clone()


@pytest.mark.parametrize(("logits", "blind"), [(without_the_given, True), (of_the_key, False)])
def test_attention_that_sees_no_content_is_said(
    logits: Any, blind: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    attempt(written(logits=logits), monkeypatch)
    said = "note: alibi: attention depends on no query and no key"
    assert capsys.readouterr().out.startswith(said) == blind


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
    def logits(self, block: int, logits: Any, q: Any, k: Any, x: Any, rows: slice) -> Any:
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


@pytest.mark.parametrize("scheme", ALONE)
def test_nothing_is_said_of_the_project_s_own(scheme: str, capsys: pytest.CaptureFixture[str]) -> None:
    try_out(Configuration("pe", scheme, {}), POSITIONS, SIZES)
    assert not capsys.readouterr().out


def of_block_0(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    return logits - self.slopes[:, 0, :, 0, None, None][:, None] * self.penalty[0, rows]


def of_head_0(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    return logits - self.slopes[:, block, 0, 0, None, None, None, None] * self.penalty[0, rows]


def of_block_and_head_alike(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    return logits - self.slopes[:, block, block, 0, None, None, None, None] * self.penalty[0, rows]


def of_its_own(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    return logits - self.slopes[:, block, :, 0, None, None][:, None] * self.penalty[0, rows]


def of_near_offsets(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any:
    near = self.penalty[0, rows].clamp(max=1).long()
    return logits - self.slopes[:, block][..., near][:, None]


@pytest.mark.parametrize(
    ("logits", "parts"),
    [
        (of_block_0, "[:, 1, 0, :] (2 of 4 such parts)"),
        (of_head_0, "[:, 0, 1, :] (2 of 4 such parts)"),
        (of_block_and_head_alike, "[:, 0, 1, :] (2 of 4 such parts)"),
        (of_its_own, ""),
        (of_near_offsets, ""),
    ],
)
def test_parts_of_a_parameter_that_no_block_and_head_reads_are_said(
    logits: Any, parts: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def make(self: Any, host: Host) -> None:
        # as many offsets as heads, of which some encodings use no more than one or two
        self.slopes = nn.Parameter(torch.ones(len(host.generators), host.blocks, host.heads, 2))

    attempt(written(make=make, logits=logits), monkeypatch)
    said = capsys.readouterr().out
    assert f"note: alibi: parameter slopes{parts} gets no gradient" in said if parts else not said

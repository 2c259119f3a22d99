"""Each column of the table of encodings has a known answer, and a broken variant that fails it."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from stages.core import abilities
from stages.core.encodings import alibi, learned, rope
from stages.core.plain import Encoding

SIZES = abilities.SIZES
Change = Callable[[pytest.MonkeyPatch], None]


def maker(scheme: str) -> abilities.Make:
    return lambda n: Encoding(scheme, **SIZES, tokens=n)


def scale_by_number(patch: pytest.MonkeyPatch) -> None:
    """Let a penalty depend on how many tokens there are."""
    right = alibi.Encoding.logits

    def logits(
        self: alibi.Encoding, block: int, logits: Tensor, q: Tensor, k: Tensor, x: Tensor, rows: slice
    ) -> Tensor:
        return right(self, block, logits, q, k, x, rows) / k.shape[-2]

    patch.setattr(alibi.Encoding, "logits", logits)


def ignore_places(patch: pytest.MonkeyPatch) -> None:
    """Turn by what number a token has in the tensor, wherever it stands."""
    right = rope.Encoding.__init__

    def init(self: rope.Encoding, host: Any, fraction: float = 1.0) -> None:
        right(self, host, fraction)
        self.angles = self.angles.new_tensor(range(len(host.indices)))[None, :, None].square() / 7

    patch.setattr(rope.Encoding, "__init__", init)


def mix_tokens(patch: pytest.MonkeyPatch) -> None:
    """Let tokens see later ones before a block."""
    patch.setattr(alibi.Encoding, "condition", lambda self, block, x: x + x.mean(-2, keepdim=True))


@pytest.mark.parametrize(
    ("ability", "scheme", "broken"),
    [
        (abilities.takes_lengths, "alibi", scale_by_number),
        (abilities.takes_documents, "rope", ignore_places),
        (abilities.takes_steps, "rope", ignore_places),
        (abilities.takes_steps, "alibi", scale_by_number),
        (abilities.takes_lengths, "alibi", mix_tokens),
        (abilities.takes_documents, "alibi", mix_tokens),
        (abilities.takes_steps, "alibi", mix_tokens),
    ],
)
def test_a_broken_variant_fails(
    ability: Callable[[abilities.Make], bool], scheme: str, broken: Change, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ability(maker(scheme))
    broken(monkeypatch)
    assert not ability(maker(scheme))


def test_a_table_of_equal_rows_tells_nothing_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    assert abilities.tell_apart(maker("learned")) == abilities.N
    monkeypatch.setattr(learned.Encoding, "table", lambda self, block: self.tables[:, block] * 0 + 1)
    assert abilities.tell_apart(maker("learned")) == 1


@pytest.mark.parametrize(
    ("scheme", "apart"),
    [("none", 1), ("rope", 1), ("alibi", 1), ("kerple", 1), ("shaw", 12), ("urpe", 12), ("erpe", 12)],
)
def test_a_bias_alone_tells_no_equal_tokens_apart(scheme: str, apart: int) -> None:
    """Rows of softmax sum to one (Luo et al. 2022, arXiv 2205.13401)."""
    assert abilities.tell_apart(maker(scheme)) == apart


@pytest.mark.parametrize(("kernel", "apart"), [(3, 3), (5, 5), (11, 11), (13, 12)])
def test_zeros_around_tokens_tell_those_near_an_end_apart(kernel: int, apart: int) -> None:
    """Each of the kernel // 2 at either end lacks others; all between lack none (Chu et al. 2021)."""
    assert abilities.tell_apart(lambda n: Encoding("peg", **SIZES, tokens=n, kernel=kernel)) == apart


def test_a_bias_that_depends_on_queries_is_no_score_mod(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [abilities.find_door(maker(one)) for one in ("rope", "alibi", "pope", "urpe")] == [
        "",
        "score_mod",
        "attn_mask",
        "attend",
    ]
    monkeypatch.setattr(
        alibi.Encoding, "logits", lambda self, block, logits, q, k, x, rows: logits + q.sum(-1, keepdim=True)
    )
    assert abilities.find_door(maker("alibi")) == "attn_mask"


def test_parameters_and_values_are_counted() -> None:
    assert abilities.count_parameters(maker("toeplitz_bias")) == 4 * (2 * abilities.N - 1)
    n, heads, columns = abilities.MORE, abilities.HEADS, abilities.HEAD
    counter = abilities.Counter()  # type: ignore[no-untyped-call]
    with counter:
        q = torch.ones(heads, n, columns) * 2
        _ = q @ q.transpose(-1, -2)
    assert counter.values == 2 * heads * n * columns + heads * n * n

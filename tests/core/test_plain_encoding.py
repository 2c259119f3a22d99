"""Encodings in plain PyTorch give what the project's own attention gives, for tokens anywhere."""

import numpy as np
import pytest
import torch
from hosts import ALONE, CASES, Settings
from plain_encodings import HEADS, WIDTH, N, draw, make, on_a_line
from torch.nn.functional import scaled_dot_product_attention

from stages.core.encodings.interface import Host
from stages.core.encodings.lookup.resolve import create
from stages.core.model.attention import ALL, attend
from stages.core.model.normalisers import softmax
from stages.core.plain import Encoding
from stages.core.settings.configuration import Configuration
from stages.core.settings.errors import InputError

TABLES: list[tuple[str, Settings]] = [(scheme, {}) for scheme in ALONE if scheme not in dict(CASES)]
TABLES.append(("combined", {"parts": [{"scheme": "rope"}, {"scheme": "learned"}, {"scheme": "fox"}]}))
TABLES.append(("per_block", {"parts": [{"scheme": "path"}]}))


@pytest.mark.parametrize(("scheme", "settings"), CASES + TABLES)
def test_outputs_are_those_of_the_projects_own_attention(scheme: str, settings: Settings) -> None:
    made, (q, k, v) = make(scheme, settings, tokens=N, places=on_a_line(N)), draw()
    head = WIDTH // HEADS
    host = Host(on_a_line(N), [np.random.default_rng(0)], 1, WIDTH, HEADS, head, head, tuple(range(N)), 1)
    own = create(Configuration("pe", scheme, settings), host).double()
    own.load_state_dict(made.inner.state_dict(), strict=False)  # places are no state
    x = torch.randn(2, N, WIDTH, dtype=torch.float64)
    expected = attend(q[None], k[None], v[None], x[None], ALL, softmax, own, 0)[0]
    torch.testing.assert_close(made.attend(q, k, v, x=x), expected)
    table = own.table(0)
    if table is not None:
        torch.testing.assert_close(made.table(), table[0].to(made.table().dtype))  # type: ignore[union-attr]
    if scheme in ("shaw", "urpe", "erpe"):
        with pytest.raises(InputError, match=r"behind softmax.*call attend"):
            made.bias(q, k)
        return
    turned, keys = made.rotate(q, k)
    seen = scaled_dot_product_attention(turned, keys, v, attn_mask=made.bias(turned, keys, x=x))
    torch.testing.assert_close(seen, expected)


def test_where_to_attend_is_told_and_that_it_rotates() -> None:
    parts = {"parts": [{"scheme": "rope"}, {"scheme": "shaw"}]}
    for scheme, settings, told in (
        ("combined", parts, r"q and k as they are before rotate$"),
        ("shaw", {}, "instead$"),
    ):
        made, (q, k, _) = make(scheme, settings), draw()
        with pytest.raises(InputError, match=told):
            made.bias(*made.rotate(q, k))


@pytest.mark.parametrize("scheme", ["shaw", "erpe", "urpe", "rope", "alibi", "deberta", "fire"])
def test_a_mask_hides_later_tokens_from_all_that_attend(scheme: str) -> None:
    free, masked, (q, k, v) = make(scheme), make(scheme, mask="causal"), draw()
    later = torch.cat([v[..., :-1, :], v[..., -1:, :] + 10], -2)
    for made, same in ((free, False), (masked, True)):
        change = made.attend(q, k, later) - made.attend(q, k, v)
        assert (change[..., :-1, :].abs().max().item() < 1e-9) is same
    if scheme not in ("shaw", "erpe", "urpe"):
        turned, keys = masked.rotate(q, k)
        seen = scaled_dot_product_attention(turned, keys, v, attn_mask=masked.bias(turned, keys))
        torch.testing.assert_close(seen, masked.attend(q, k, v))
    with pytest.raises(InputError, match="posenc.mask: True given, expected 'none' or 'causal'"):
        make(scheme, mask=True)


def test_wide_heads_turn_whole() -> None:
    q = torch.randn(2, HEADS, N, 32)
    wide = Encoding("rope", width=WIDTH, heads=HEADS, head_width=32)
    assert wide.rotate(q, q)[0][..., 1:, 16:].ne(q[..., 1:, 16:]).all()


@pytest.mark.parametrize("heads", [1, 2])
@pytest.mark.parametrize(("scheme", "settings"), [*((scheme, {}) for scheme in ALONE), TABLES[-2]])
def test_each_head_of_keys_serves_several_of_queries(scheme: str, settings: Settings, heads: int) -> None:
    made, (q, k, v) = make(scheme, settings, places=on_a_line(N)), draw()
    few, values = k[:, :heads], v[:, :heads]
    every, all_values = (part.repeat_interleave(HEADS // heads, 1) for part in (few, values))
    x = torch.randn(2, N, WIDTH, dtype=torch.float64)
    torch.testing.assert_close(made.attend(q, few, values, x=x), made.attend(q, every, all_values, x=x))
    torch.testing.assert_close(made.logits(q, few, x=x), made.logits(q, every, x=x))
    if scheme not in ("shaw", "urpe", "erpe"):
        torch.testing.assert_close(made.bias(q, few, x=x), made.bias(q, every, x=x))
    (_, turned), (_, expected) = made.rotate(q, few), made.rotate(q, every)
    own_ways = scheme in ("fope", "liere", "rope_mixed")
    torch.testing.assert_close(turned, expected if own_ways else expected[:, :: HEADS // heads])


def test_a_bias_of_tokens_alone_is_exact_beside_large_queries() -> None:
    made, (q, k, _) = make("fox"), draw()
    x = torch.randn(2, N, WIDTH, dtype=torch.float64)
    gates = torch.nn.functional.logsigmoid(x @ made.get_parameter("inner.weight")[0, 0] + bias_of(made))
    fading = gates.mT.cumsum(-1)
    expected = (fading[..., None] - fading[..., None, :]).tril()  # 0 where later tokens are hidden
    for size in (1.0, 1e12):
        found = made.bias(size * q, size * k, x=x)
        assert found is not None
        torch.testing.assert_close(found.masked_fill(found.isinf(), 0), expected)


def bias_of(fox: Encoding) -> torch.Tensor:
    return fox.get_parameter("inner.bias")[0, 0]


def test_halves_of_a_head_turn_as_pairs_where_columns_are_reordered() -> None:
    made, (q, k, _) = make("rope"), draw()
    half = WIDTH // HEADS // 2

    def pair(x: torch.Tensor) -> torch.Tensor:  # encodings/README.md
        return x.unflatten(-1, (2, -1)).mT.flatten(-2)  # type: ignore[no-any-return, no-untyped-call]

    def turn(x: torch.Tensor) -> torch.Tensor:
        angles = torch.arange(N, dtype=x.dtype)[:, None] / 10000 ** (torch.arange(half) / half)
        one, other = x[..., :half], x[..., half:]
        return torch.cat(
            [one * angles.cos() - other * angles.sin(), other * angles.cos() + one * angles.sin()], -1
        )

    queries, keys = made.rotate(pair(q), pair(k))
    torch.testing.assert_close(queries @ keys.mT, turn(q) @ turn(k).mT)

"""Encodings in plain PyTorch give what the project's own attention gives, for tokens anywhere."""

import pickle
from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from hosts import ALONE, CASES, Settings
from torch import Tensor, nn
from torch.nn.attention.flex_attention import flex_attention
from torch.nn.functional import scaled_dot_product_attention

from stages.core.encodings.interface import Host
from stages.core.encodings.lookup.resolve import create
from stages.core.model.attention import ALL, attend
from stages.core.model.normalisers import softmax
from stages.core.plain import Encoding
from stages.core.positions.positions import Positions, line_positions
from stages.core.positions.sinusoids import sinusoid
from stages.core.settings.configuration import Configuration
from stages.core.settings.errors import InputError

N, HEADS, WIDTH = 12, 4, 64
TABLES: list[tuple[str, Settings]] = [(scheme, {}) for scheme in ALONE if scheme not in dict(CASES)]
TABLES.append(("combined", {"parts": [{"scheme": "rope"}, {"scheme": "learned"}, {"scheme": "fox"}]}))
TABLES.append(("per_block", {"parts": [{"scheme": "path"}]}))


def on_a_line(n: int) -> Positions:
    """Place tokens in a row, with all that a scheme may need."""
    frames = np.random.default_rng(n).normal(size=(3 * n, n))
    return replace(line_positions(n), functional=np.atleast_2d(np.corrcoef(frames, rowvar=False)))


def make(scheme: str, settings: Settings | None = None, **other: Any) -> Encoding:
    """Make an encoding of parameters that are all drawn."""
    torch.manual_seed(1)
    usual = {"width": WIDTH, "heads": HEADS, "tokens": 20, "seed": 0}
    made = Encoding(scheme, **usual | other | (settings or {})).double()
    for parameter in made.parameters():
        nn.init.normal_(parameter, std=0.3)
    return made


def draw(n: int = N, seed: int = 0) -> tuple[Tensor, Tensor, Tensor]:
    torch.manual_seed(seed)
    q, k, v = torch.randn(3, 2, HEADS, n, WIDTH // HEADS, dtype=torch.float64)
    return q, k, v


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


@pytest.mark.parametrize(
    "scheme", ["alibi", "t5_bias", "toeplitz_bias", "cpb", "hop_bias", "none", "kerple", "sandwich"]
)
def test_flex_attention_adds_the_same_bias(scheme: str) -> None:
    made, (q, k, v) = make(scheme).float(), (part.float() for part in draw())
    seen = flex_attention(q, k, v, score_mod=made.score_mod(N))
    torch.testing.assert_close(seen, made.attend(q, k, v), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("scheme", ["t5_bias", "toeplitz_bias", "kerple"])
def test_a_score_mod_of_former_parameters_is_refused(scheme: str) -> None:
    made, (q, k, v) = make(scheme).float(), (part.float() for part in draw())
    for change in (
        lambda: made.load_state_dict(made.state_dict()),
        lambda: made.load_state_dict(deepcopy(made.state_dict()), assign=True),
        lambda: [nn.init.ones_(parameter) for parameter in made.parameters()],
    ):
        former = made.score_mod(N)
        change()
        with pytest.raises(InputError, match=f"{scheme}: a score_mod of former .* in each forward pass"):
            former(torch.zeros(()), *torch.tensor([0, 0, 1, 3]))
    torch._dynamo.reset()
    with pytest.raises(Exception, match="a score_mod of former parameters is called"):  # torch wraps it
        flex_attention(q, k, v, score_mod=former)
    seen = flex_attention(q, k, v, score_mod=made.score_mod(N))
    torch.testing.assert_close(seen, made.attend(q, k, v), atol=1e-5, rtol=1e-5)
    fixed = make("alibi")  # without parameters
    always = fixed.score_mod(N)
    fixed.load_state_dict(fixed.state_dict())
    always(torch.zeros(()), *torch.tensor([0, 0, 1, 3]))


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


@pytest.mark.parametrize("scheme", ["cope", "deberta", "shaw_key", "transformer_xl", "pope", "tupe"])
def test_a_bias_of_queries_is_no_score_mod(scheme: str) -> None:
    with pytest.raises(InputError, match="depends on queries and keys"):
        make(scheme).score_mod(N)


@pytest.mark.parametrize(
    "scheme",
    [
        *("alibi", "cope", "deberta", "erpe", "kerple", "music_transformer", "rope", "sandwich", "shaw"),
        *("t5_bias", "toeplitz_bias", "tupe", "urpe"),
    ],
)
def test_the_first_tokens_of_many_are_as_alone(scheme: str) -> None:
    made, (q, k, v) = make(scheme), draw(18)
    turned, keys = made.rotate(q, k)
    first = made.rotate(q[..., :N, :], k[..., :N, :])
    torch.testing.assert_close(made.logits(turned, keys)[..., :N, :N], made.logits(*first))
    assert made.attend(q[..., :N, :], k[..., :N, :], v[..., :N, :]).shape == (2, HEADS, N, WIDTH // HEADS)


@pytest.mark.parametrize("scheme", [scheme for scheme in ALONE if scheme != "connectivity_gradients"])
def test_gaps_and_repeats_are_right_or_refused(scheme: str) -> None:
    """Two documents in one sequence are to be what each is alone."""
    made, (q, k, _), places = make(scheme), draw(), [*range(5), *range(7)]
    if not made.inner.by_index:
        with pytest.raises(InputError, match="reads tokens as a whole"):
            made.rotate(q, k, places)
        return
    packed = made.logits(*made.rotate(q, k, places), places)
    for part in (slice(0, 5), slice(5, N)):
        alone = made.logits(*made.rotate(q[..., part, :], k[..., part, :]))
        torch.testing.assert_close(packed[..., part, part], alone)
    table, first = made.table(places), made.table(7)
    assert table is None or first is None or table[5:].equal(first)


@pytest.mark.parametrize(
    "scheme", ["alibi", "causal_none", "pope", "rope", "t5_bias", "cope", "shaw_key", "tupe"]
)
def test_a_cache_decodes_step_by_step_as_the_whole(scheme: str) -> None:
    made, (q, k, v) = make(scheme), draw()
    turned, keys = made.rotate(q, k)
    later = torch.ones(N, N, dtype=torch.bool).triu(1)
    whole = made.logits(turned, keys).masked_fill(later, -torch.inf).softmax(-1) @ v
    cache: list[Tensor] = []
    for step in range(N):
        one = slice(step, step + 1)
        query, key = q[..., one, :], k[..., one, :]
        if made.overrides("rotate"):
            query, key = made.rotate(query, key, [step])
        cache.append(key)
        seen = made.logits(query, torch.cat(cache, -2)).softmax(-1) @ v[..., : step + 1, :]
        torch.testing.assert_close(seen, whole[..., one, :])


def test_coordinates_of_its_own() -> None:
    """Places are in the user's own steps: a picture is the same wherever it lies, not at any scale."""
    grid = np.indices((3, 4)).reshape(2, -1).T.astype(float)
    made, (q, k, v) = make("rope_nd"), draw()
    torch.testing.assert_close(made.attend(q, k, v, grid), made.attend(q, k, v, grid + 7))
    assert not torch.allclose(made.attend(q, k, v, grid), made.attend(q, k, v, 2.5 * grid))
    assert not torch.allclose(made.attend(q, k, v, grid), made.attend(q, k, v))
    table = make("mds", places=grid).table()
    far = torch.cdist(table, table)  # type: ignore[arg-type]
    torch.testing.assert_close(far / far.max(), torch.cdist(torch.tensor(grid), torch.tensor(grid)) / 13**0.5)


def test_gradients_reach_the_parameters_at_any_length() -> None:
    made, (q, k, v) = make("toeplitz_bias"), draw()
    for _ in range(2):  # whatever the first graph held is gone
        made.zero_grad()
        made.attend(q, k, v).sum().backward()  # type: ignore[no-untyped-call]
        (parameter,) = made.parameters()
        assert parameter.grad is not None and parameter.grad[..., 19 - 11 : 19 + 12].abs().min() > 0
        assert parameter.grad[..., : 19 - 11].abs().max() == 0


@pytest.mark.parametrize("kind", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("scheme", ["rope", "alibi", "cope", "deberta", "liere", "pope", "t5_bias"])
def test_half_precision_rounds_results_and_nothing_before(scheme: str, kind: torch.dtype) -> None:
    q, k, v = (part.to(kind) for part in draw())
    made, coarse = make(scheme).float(), make(scheme).to(kind)
    made.load_state_dict(coarse.state_dict())
    expected = made.attend(q.float(), k.float(), v.float())
    torch.testing.assert_close(coarse.attend(q, k, v), expected.to(kind))
    turned, keys = coarse.rotate(q, k)
    seen = scaled_dot_product_attention(turned, keys, v, attn_mask=coarse.bias(turned, keys))
    assert seen.dtype == kind and (seen.float() - expected).abs().max() < 0.05


def test_a_model_in_bfloat16_keeps_its_angles() -> None:
    q, k, _ = (part.float() for part in draw(2000))
    fine, coarse = make("rope").float(), make("rope").bfloat16()
    for one, other in zip(fine.rotate(q, k), coarse.rotate(q, k), strict=True):
        assert one.equal(other)


def test_an_encoding_is_copied_saved_and_loaded_as_any_module() -> None:
    made, (q, k, v) = make("toeplitz_bias", seed=None), draw()
    before = made.attend(q, k, v)
    assert deepcopy(made).attend(q, k, v).equal(before)
    other = make("toeplitz_bias", seed=None)
    other.load_state_dict(made.state_dict())
    assert other.attend(q, k, v).equal(before)
    assert make("rope_nd", places=np.ones((1, 2))).state_dict().keys() == {"seed"}


@pytest.mark.parametrize("scheme", ["learned", "rope_mixed", "t5_bias", "cpb", "fope", "sinusoidal_1d"])
def test_defaults_of_torch_change_no_number(scheme: str) -> None:
    usual = Encoding(scheme, width=WIDTH, heads=HEADS, seed=0)
    for kind in (torch.float64, torch.bfloat16):
        torch.set_default_dtype(kind)
        try:
            other = Encoding(scheme, width=WIDTH, heads=HEADS, seed=0)
        finally:
            torch.set_default_dtype(torch.float32)
        assert all(one.equal(two) for one, two in zip(usual.parameters(), other.parameters(), strict=True))
    with torch.device("meta"):
        empty = Encoding(scheme, width=WIDTH, heads=HEADS)
    empty.load_state_dict(usual.state_dict())
    q, k, v = (one.float() for one in draw())
    torch.testing.assert_close(empty.attend(q, k, v), usual.attend(q, k, v))


def test_draws_follow_torchs_generator_or_a_seed() -> None:
    def drawn(**seed: Any) -> Tensor:
        return Encoding("learned", width=WIDTH, heads=HEADS, **seed).inner.get_parameter("tables")

    torch.manual_seed(1)
    first, second = drawn(), drawn()
    torch.manual_seed(1)
    assert drawn().equal(first) and not first.equal(second) and drawn(seed=3).equal(drawn(seed=3))


def test_a_first_call_without_gradients_spoils_no_training() -> None:
    made, (q, k, v) = make("deberta"), draw()
    with torch.inference_mode():
        made.attend(q, k, v)
    made.attend(q, k, v).sum().backward()  # type: ignore[no-untyped-call]
    assert all(parameter.grad is not None for parameter in made.parameters())


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


def test_each_block_is_known_by_its_own_bias() -> None:
    made, (q, k, _) = (
        make("per_block", {"parts": [{"scheme": "alibi"}, {"scheme": "deberta"}]}, blocks=2),
        draw(),
    )
    expected = made.logits(q, k, block=1) - q @ k.transpose(-1, -2) / 4
    torch.testing.assert_close(made.bias(q, k, block=1), expected)
    assert made.score_mod(N)(torch.zeros(()), *torch.tensor([0, 0, 1, 3])) == made.bias(q, k)[0, 0, 1, 3]  # type: ignore[index]
    with pytest.raises(InputError, match="depends on queries and keys"):
        made.score_mod(N, block=1)


LINE = np.arange(12.0)[:, None]


@pytest.mark.parametrize(
    ("scheme", "first", "second"),
    [
        ("learned", Positions(5), Positions(12)),
        ("sinusoidal_1d", Positions(1), Positions(12)),
        ("sinusoidal_nd", Positions(12, LINE), Positions(6, LINE.reshape(6, 2))),
        ("sinusoidal_nd", Positions(12, 3 * LINE), Positions(12, 3 * LINE, in_steps=True)),
        (
            "mds",
            Positions(12, distances={"a": abs(LINE - LINE.T), "b": (LINE - LINE.T) ** 2}),
            Positions(12, distances={"b": (LINE - LINE.T) ** 2, "a": abs(LINE - LINE.T)}),
        ),
    ],
)
def test_other_positions_are_never_taken_for_those_before(
    scheme: str, first: Positions, second: Positions
) -> None:
    made = make(scheme, places=12)
    before = made.table(first)
    assert before is not None and len(before) == first.n_tokens
    torch.testing.assert_close(made.table(second), make(scheme, places=12).table(second))
    assert not before.equal(made.table(second))  # type: ignore[arg-type]


def test_matrices_are_made_for_schemes_that_read_them_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of tokens have matrices of gigabytes."""
    by_number, on_points = make("mds", places=N), make("mds", places=LINE)
    torch.testing.assert_close(by_number.table(), make("mds", places=line_positions(N)).table())
    torch.testing.assert_close(pickle.loads(pickle.dumps(on_points)).table(), on_points.table())
    graph = make("laplacian", places=N).table()
    torch.testing.assert_close(graph, make("laplacian", places=line_positions(N)).table())
    for name in ("cdist", "line_positions"):
        monkeypatch.setattr(f"stages.core.places.{name}", lambda *_: pytest.fail("made n x n"))
    for scheme in ("rope", "rope_nd", "shaw", "random_fixed", "t5_bias", "learned"):
        make(scheme, tokens=4096)
    far = np.arange(20_000, 20_000 + N)
    expected = torch.from_numpy(sinusoid(far.astype(np.float64), WIDTH)).float()
    torch.testing.assert_close(make("sinusoidal_1d").float().table(far), expected)
    made, (q, k, _) = make("rope"), draw()
    offset, near = (made.logits(*made.rotate(q, k, places)) for places in (far, N))
    torch.testing.assert_close(offset, near)
    assert make("rope_nd", places=np.indices((90, 90)).reshape(2, -1).T).table() is None


def test_coordinates_are_taken_as_they_are() -> None:
    """Patches of 4 rows and 16 columns turn by their rows and columns; half a step is half of one."""
    rows = np.indices((4, 16)).reshape(2, -1).T.astype(np.float64)
    for scale in (1.0, 0.5, 30.0):
        made = make("rope_nd", places=scale * rows)
        table: Any = make("sinusoidal_nd", places=scale * rows).table()
        angles = made.inner.get_buffer("angles")[0]
        assert angles[:, [0, 4]].tolist() == (scale * rows).tolist()
        torch.testing.assert_close(table[:, 0], torch.tensor(scale * rows[:, 0]).sin().to(table.dtype))
    filled = Positions(64, 2.5 * rows, distances={})  # as the tasks here have them: longest axis 7 steps
    assert make("rope_nd", places=filled).inner.get_buffer("angles")[0, :, 4].max() == 7
    as_given = replace(filled, in_steps=True)
    assert make("rope_nd", places=as_given).inner.get_buffer("angles")[0, :, 4].max() == 37.5


@pytest.mark.parametrize(
    ("scheme", "settings"),
    [("rope_scaled", {"factor": 2.0}), ("fope", {"trained_tokens": 8}), ("random_fixed", {})],
)
def test_settings_decide_whether_places_alone_are_read(scheme: str, settings: Settings) -> None:
    made, (q, k, _), places = make(scheme, settings), draw(), [*range(5), *range(7)]
    packed = made.logits(*made.rotate(q, k, places), places)
    for part in (slice(0, 5), slice(5, N)):
        alone = made.logits(*made.rotate(q[..., part, :], k[..., part, :]))
        torch.testing.assert_close(packed[..., part, part], alone)
    with pytest.raises(InputError, match="reads tokens as a whole"):
        make(scheme, {"offset": True} if scheme == "random_fixed" else {}).table(places)


def make_with(table: Tensor) -> Encoding:
    """Make an encoding whose table is replaced by one of other axes."""
    made = make("learned")
    made.inner.tables = nn.Parameter(table)
    return made


@pytest.mark.parametrize(
    ("kind", "near", "far"),
    [(torch.float32, 35_600, 35_800), (torch.bfloat16, 35_600, 35_800), (torch.float16, 3_900, 5_000)],
)
def test_factors_that_leave_the_range_of_numbers_are_refused(kind: torch.dtype, near: int, far: int) -> None:
    made, (q, k, _) = Encoding("xpos", width=WIDTH, heads=HEADS), draw()
    turned = made.rotate(q.to(kind), k.to(kind), range(near - N, near))
    assert all(one.isfinite().all() for one in turned)
    with pytest.raises(InputError, match="is too far along for|reach .*, expected at most 65504"):
        made.rotate(q.to(kind), k.to(kind), range(far - N, far))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: Encoding("rope", width=63, heads=4), "width 63 given, expected a multiple of the 4 heads"),
        (lambda: Encoding("ropee", width=64, heads=4), "posenc.scheme: 'ropee' given, expected rope"),
        (lambda: Encoding("rope", width=64, heads=4, fracton=1), r"posenc.fracton.*did you mean fraction\?"),
        (
            lambda: make("learned").table(21),
            "21 tokens given, more than its tables .* are for; make it with more",
        ),
        (lambda: make("learned").table(), "no places given, expected how many tokens"),
        (lambda: make("rope").rotate(*draw()[:2], [1, 2]), "places of 2 tokens given, expected those of 12"),
        (
            lambda: make("rope").rotate(*torch.ones(2, 1, N, HEADS, 16)),
            r"expected \[B, 4, m, 16\]",
        ),
        (
            lambda: make("rope").rotate(*torch.ones(2, 1, HEADS, N, 32)),
            "other heads or head_width",
        ),
        (lambda: make("alibi").bias(draw(13)[0], draw(12)[1]), "m <= n, as queries are the last of the keys"),
        (lambda: make("learned").table(torch.arange(N)[None]), r"shape \(1, 12\) given.*give places\[0\]"),
        (
            lambda: make("rope").rotate(*draw()[:2], torch.arange(N) - torch.tensor([[0], [3]])),
            r"shape \(2, 12\) given, .* its rows differ, so call for each example i with q\[i:i\+1\]",
        ),
        (
            lambda: make("rope").rotate(*draw()[:2], np.ones((N, 1))),
            "rope counts along a sequence, but",
        ),
        (
            lambda: make("alibi").attend(*draw()[:2], draw()[2][:, :3]),
            "3 heads given to serve 4 of queries, expected a number that divides 4",
        ),
        (
            lambda: make("alibi").attend(*draw(), block=1),
            "block 1 given, expected one of 1",
        ),
        (
            lambda: make("xpos").rotate(*draw()[:2], np.arange(N) + 300_000),
            "xpos: place 300011 is too far along for torch.float64",
        ),
        (
            lambda: make_with(torch.zeros(20, WIDTH)).table(4),
            r"learned: tables of shape \(20, 64\) given, expected 4 axes, as in \(1, 1, 4, 64\); write",
        ),
        (lambda: make("rope").table([-1, 0]), "-1 given, expected whole numbers from 0 on"),
        (
            lambda: make("rope").table(np.array([0.5, 1.5])),
            r"places of float64 and shape \(2,\) given, expected whole",
        ),
    ],
)
def test_mistakes_are_one_line(wrong: Any, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        wrong()
    assert "\n" not in str(caught.value)

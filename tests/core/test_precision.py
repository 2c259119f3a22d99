"""Numbers stay as fine as float32, whatever a model's own and torch's defaults are."""

import pytest
import torch
from plain_encodings import HEADS, WIDTH, N, draw, make
from torch.nn.functional import scaled_dot_product_attention

from stages.core.plain import Encoding
from stages.core.settings.errors import InputError


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


@pytest.mark.parametrize("scheme", ["fox", "cope", "shaw_key"])
def test_autocast_rounds_no_bias(scheme: str) -> None:
    made, (q, k, _) = make(scheme).float(), (part.float() for part in draw())
    x = torch.randn(len(q), N, WIDTH, generator=torch.Generator().manual_seed(0))
    expected = made.bias(q, k, x=x)
    with torch.autocast("cpu", torch.bfloat16):
        seen = made.bias(q, k, x=x)
    torch.testing.assert_close(seen, expected, atol=0, rtol=0)


def test_a_model_in_bfloat16_keeps_its_angles() -> None:
    q, k, _ = (part.float() for part in draw(2000))
    fine, coarse = make("rope").float(), make("rope").bfloat16()
    for one, other in zip(fine.rotate(q, k), coarse.rotate(q, k), strict=True):
        assert one.equal(other)


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

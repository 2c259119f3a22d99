import pytest
import torch
from hosts import make_encoding


@torch.no_grad()
@pytest.mark.parametrize(("kernel", "largest"), [("logarithmic", (2, 1)), ("power", (1, 2))])
def test_kernels_start_evenly_spread(kernel: str, largest: tuple[int, int]) -> None:
    encoding = make_encoding("kerple", {"kernel": kernel}, numbers=range(400))
    s1, s2 = (encoding.get_parameter(name) for name in ("s1", "s2"))
    r2 = s2.exp() if kernel == "logarithmic" else 2 * s2.sigmoid()
    for r, most in zip((s1.exp(), r2), largest, strict=True):
        assert 0.0099 < r.min() < 0.03 and 0.97 * most < r.max() < 1.0001 * most
        assert r.mean().item() == pytest.approx(most / 2, rel=0.05)

import torch
from hosts import assert_close, make_encoding, make_host

from stages.core.model.attention import ALL


@torch.no_grad()
def test_sandwich_by_hand() -> None:
    """A token's own bias is 64 cosines of 0, over 8h / H; slow sinusoids hardly fall with distance."""
    none = torch.zeros(2, 1, 4, 16, 16, dtype=torch.float64)
    bias = make_encoding("sandwich", host=make_host(heads=4)).logits(0, none, none, none, none, ALL)
    own = torch.tensor([32, 16, 32 / 3, 8], dtype=torch.float64)
    assert_close(bias[0, 0].diagonal(dim1=1, dim2=2)[:, 0], own)
    assert 0.5 * 32 < bias[0, 0, 0, 0, 15] < bias[0, 0, 0, 0, 1] < 32

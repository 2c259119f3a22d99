"""TUPE's markers, untied from places."""

from dataclasses import replace

import pytest
import torch
from hosts import assert_close, inputs, make_encoding, make_host, randomise

from stages.core.model.attention import ALL


@torch.no_grad()
@pytest.mark.parametrize(("before", "behind"), [(1, 0), (1, 1), (0, 2)])
def test_markers_are_untied_from_places(before: int, behind: int) -> None:
    """The model adds theta_1 where a marker asks, theta_2 where it is asked, and tied places elsewhere."""
    n, m = 16, before + behind
    markers = (*range(before), *range(before + n, m + n))
    host = replace(make_host(n), indices=tuple(range(-before, n + behind)), markers=markers)
    settings = {"relative": True, "untie_markers": True}
    untied = randomise(make_encoding("tupe", settings, host)).double()
    tied = make_encoding("tupe", {"relative": True}, host).double()
    tied.load_state_dict(untied.state_dict(), strict=False)
    q, k, _, x = inputs(host)
    content = q @ k.mT / q.shape[-1] ** 0.5
    added, usual = (one.logits(0, content, q, k, x, ALL) - content / 2**0.5 for one in (untied, tied))
    theta, own = untied.get_parameter("theta").double(), [i for i in range(m + n) if i not in markers]
    for i in range(m + n):
        for j in range(m + n):
            expected = theta[:, 0] if i in markers else theta[:, 1] if j in markers else usual[:, 0, :, i, j]
            assert_close(added[:, 0, :, i, j], expected)
    assert len(own) == n

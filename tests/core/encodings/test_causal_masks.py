"""Causal masks, of a scheme itself or of the model around it."""

import torch
from hosts import assert_close, inputs, make_encoding, make_host, output, randomise

from stages.core.encodings.lookup.resolve import create
from stages.core.model.attention import ALL
from stages.core.settings.configuration import Architecture, Configuration

QKV = inputs(make_host())


@torch.no_grad()
def test_a_mask_beside_no_encoding_is_the_causal_scheme() -> None:
    masked = create(Configuration("pe", "none", {}, Architecture(mask="causal")), make_host())
    assert output(masked, QKV).equal(output(make_encoding("causal_none"), QKV))
    assert not output(make_encoding("none"), QKV).equal(output(masked, QKV))


@torch.no_grad()
def test_a_scalar_behind_the_normaliser_lets_no_token_see_later_ones_under_a_mask() -> None:
    configuration = Configuration("pe", "erpe", {}, Architecture(mask="causal"))
    masked = randomise(create(configuration, make_host())).double()
    q, k, v, x = QKV
    for rows in (ALL, slice(5, 7), slice(-2, None)):
        weights = masked.weights(0, torch.zeros(2, 2, 3, 16, 16, dtype=torch.float64)[..., rows, :], rows)
        seen = torch.ones(16, 16, dtype=torch.bool).tril()[rows]
        assert torch.equal(weights != 0, seen.expand_as(weights))
    first = output(masked, (q[..., :9, :], k, v, x), slice(0, 9))
    v = torch.cat([v[..., :9, :], -v[..., 9:, :]], dim=-2)
    assert_close(output(masked, (q[..., :9, :], k, v, x), slice(0, 9)), first)

"""Biases as flex_attention takes them."""

import pytest
import torch
from plain_encodings import N, draw, make
from torch import nn
from torch.nn.attention.flex_attention import flex_attention

from stages.core.settings.errors import InputError


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
    other = {name: value if name == "seed" else value + 1 for name, value in made.state_dict().items()}

    def step() -> None:
        fused = torch.optim.AdamW(made.parameters(), fused=True)  # which counts no change in place
        torch.autograd.backward([parameter.sum() for parameter in made.parameters()])
        fused.step()

    for change in (
        lambda: made.load_state_dict(other),
        lambda: made.load_state_dict(make(scheme).float().state_dict(), assign=True),
        step,
        lambda: [parameter.data.add_(1) for parameter in made.parameters()],
        lambda: [nn.init.ones_(parameter) for parameter in made.parameters()],
    ):
        former = made.score_mod(N)
        former(torch.zeros(()), *torch.tensor([0, 0, 1, 3]))
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

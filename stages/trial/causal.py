"""Check that no token sees a later one where the encoding or the mask is causal."""

from torch import Tensor

from stages.core.model.attention import ALL
from stages.core.positions.offsets import mask_future
from stages.trial.answers import Answers, find_change, narrow, refuse
from stages.trial.listener import Listener, Tokens


def check_causal(listener: Listener, tokens: Tokens, answers: Answers) -> None:
    """Raise InputError if a token sees a later one although the encoding or `mask` is causal."""
    if not listener.causal:
        return
    fault = "lets tokens see later ones, which the causal mask hides; leave those out"
    for (_, method), answer in answers.items():
        if method == "weights" and answer.triu(1).any():
            refuse(listener.scheme, method, fault)
    host = listener.host
    last = max(place for place in range(len(host.indices)) if place not in host.markers)
    changed = [each.clone() for each in tokens]
    for each in changed:
        each[..., last:, :] *= -1
    earlier = slice(0, last)
    before, after = (
        {key: hide_future(key[1], one) for key, one in narrow(of_all, 3, earlier).items()}
        for of_all in (answers, listener(*changed, ALL))
    )
    refuse(listener.scheme, find_change(before, after), fault)


def hide_future(method: str, answer: Tensor) -> Tensor:
    return mask_future(answer, slice(0, answer.shape[-2])) if method == "logits" else answer

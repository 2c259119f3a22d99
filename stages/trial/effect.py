"""Find the effect of an encoding on a task's tokens: the numbers in which two settings have to differ."""

from dataclasses import dataclass

import torch
from torch import Tensor

from stages.core.encodings.interface import PositionalEncoding
from stages.core.encodings.lookup.resolve import create
from stages.core.positions.positions import Positions
from stages.core.settings.configuration import Configuration
from stages.core.settings.sizes import Model
from stages.training.host import host_for, normaliser_of
from stages.trial.answers import OF_ALL
from stages.trial.gradients import ask_with_gradients
from stages.trial.listener import MOVE, SEEDS, Listener, draw_tokens, move


@dataclass(frozen=True)
class Effect:
    """Everything that training sees of an encoding, and whether it changes any token or attention weight."""

    values: dict[str, Tensor]  # initial values, answers and gradients, by name
    acts: bool

    def is_same(self, other: "Effect") -> bool:
        ours, theirs = self.values, other.values
        return ours.keys() == theirs.keys() and all(torch.equal(ours[name], theirs[name]) for name in ours)


def measure_effect(configuration: Configuration, positions: Positions, sizes: Model) -> Effect:
    """Measure what an encoding starts from, answers on tokens at these positions, and passes back."""
    host = host_for(positions, configuration, sizes, SEEDS)
    encoding, tokens = create(configuration, host), draw_tokens(host)
    listener, plain = (
        Listener(str(configuration.scheme), one, host, normaliser_of(configuration.architecture))
        for one in (encoding, PositionalEncoding())
    )
    values = {f"start of {name}": value.clone() for name, value in encoding.state_dict().items()}
    move(encoding.named_parameters(), MOVE)
    answers, others = (ask_with_gradients(one, tokens) for one in (listener, plain))
    changed = [not torch.equal(one, others.get(key, torch.zeros_like(one))) for key, one in answers.items()]
    values |= {
        method if block == OF_ALL else f"{method} of block {block}": one
        for (block, method), one in answers.items()
    }
    return Effect(values, acts=any(changed) or encoding.causal)

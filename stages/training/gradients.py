"""Check that every parameter of an encoding is trained: that its answers pass a gradient on to it."""

import torch
from torch import Tensor

from stages.core.model.attention import ALL
from stages.core.settings.errors import InputError
from stages.training.listener import Answers, Listener, Tokens, find_change, move

MOVE = 1.0  # of a parameter alone: over the next whole number, if it is rounded


def find_trained(listener: Listener, tokens: Tokens) -> dict[str, bool | None]:
    """Find whether each parameter gets a gradient other than 0; None where no answer depends on it."""
    trained = {name: one for name, one in listener.encoding.named_parameters() if one.requires_grad}
    leaves = [each.clone().requires_grad_() for each in tokens]
    with torch.enable_grad():
        total = sum_answers(listener(*leaves, ALL))
        found = torch.autograd.grad(total, [*trained.values(), *leaves], allow_unused=True)
    return {
        name: None if gradient is None else bool((gradient != 0).any())
        for name, gradient in zip(trained, found, strict=False)
    }


def sum_answers(answers: Answers) -> Tensor:
    """Sum the finite entries of all answers, each with a weight of its own."""
    total = torch.zeros(())
    for answer in answers.values():
        finite = answer.masked_fill(~answer.isfinite(), 0)
        total = total + (finite.flatten() * torch.linspace(0.5, 1.5, answer.numel())).sum()
    return total


def check_trained(
    listener: Listener, other: Listener, tokens: Tokens, at_start: dict[str, bool | None]
) -> None:
    """Raise InputError for a parameter that answers depend on without a gradient, or that none depends on.

    A gradient of 0 is right where answers stay as they are, such as of positions that are all alike.
    """
    if all(at_start.values()):
        return
    moved = find_trained(listener, tokens)
    parameters = dict(other.encoding.named_parameters())
    for name, gradient in at_start.items():
        if gradient or moved[name] or not parameters[name].numel():
            continue
        with torch.no_grad():
            before = other(*tokens, ALL)
            move([(name, parameters[name])], MOVE)
            changed = find_change(before, other(*tokens, ALL))
        if changed or gradient is None:
            raise InputError(
                f"{listener.scheme}: parameter {name} gets no gradient, so it is never trained; use it "
                "without .data, detach or rounding, or make it a buffer"
            )

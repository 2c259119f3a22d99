"""Take the gradients that an encoding passes back, and check that all that its answers depend on gets one."""

from itertools import product

import torch
from torch import Tensor
from torch.func import functional_call

from stages.core.model.attention import ALL
from stages.core.settings.errors import InputError
from stages.training.forward import part_of
from stages.trial.answers import OF_ALL, Answers, find_change
from stages.trial.listener import Listener, Tokens, move

MOVE = 1.0  # of a parameter alone: over the next whole number, if it is rounded
# what the model goes on with, and what it passes a gradient to: the place among tokens that are given
OUTPUTS: dict[str, dict[str, int]] = {
    "table": {},
    "condition": {"conditioned tokens": 3},
    "mix_values": {"queries": 0, "keys": 1, "values": 2, "tokens": 3},
}
GRADIENT = "the gradient of {}"


def ask_with_gradients(listener: Listener, tokens: Tokens, seeds: slice = ALL, rows: slice = ALL) -> Answers:
    """Return the answers of some seeds to their tokens, and the gradients that each block passes back.

    Gradients of parameters are of all blocks together; one that no output depends on is missing.
    """
    leaves = [each.clone().requires_grad_() for each in tokens]
    trained = {name: one for name, one in listener.encoding.named_parameters() if one.requires_grad}
    inputs, found = [*leaves, *trained.values()], Answers()
    with torch.enable_grad():
        answers: Answers = functional_call(listener, part_of(listener, seeds), (*leaves, rows))
        for (block, method), answer in list_outputs(answers).items():
            if answer.requires_grad:
                # as training does, with its hooks
                torch.autograd.backward(weigh(answer), inputs=inputs, retain_graph=True)
            for name, place in OUTPUTS[method].items():
                leaf = leaves[place]
                found[block, GRADIENT.format(name)] = (
                    torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
                )
                leaf.grad = None
    for name, one in trained.items():
        if one.grad is not None:
            found[OF_ALL, GRADIENT.format(name)] = one.grad[seeds]
            one.grad = None
    return {key: answer.detach() for key, answer in answers.items()} | found


def list_outputs(answers: Answers) -> Answers:
    return {key: answer for key, answer in answers.items() if key[1] in OUTPUTS}


def weigh(output: Tensor) -> Tensor:
    """Sum an output with a weight of its own for each place, alike for seeds and examples."""
    places = output.shape[1 if output.dim() == 3 else 2 :]
    return (output * torch.linspace(0.5, 1.5, places.numel()).view(places)).sum()


def check_trained(other: Listener, tokens: Tokens, at_start: Answers, moved: Answers) -> None:
    """Raise InputError for a parameter that outputs depend on without a gradient, or that none depends on.

    A gradient of 0 is right where outputs stay as they are, such as of positions that are all alike.
    """
    for name, parameter in other.encoding.named_parameters():
        key = OF_ALL, GRADIENT.format(name)
        passed = any(key in answers and answers[key].any() for answers in (at_start, moved))
        if passed or not parameter.requires_grad or not parameter.numel():
            continue
        with torch.no_grad():
            before = list_outputs(other(*tokens, ALL))
            move([(name, parameter)], MOVE)
            changed = find_change(before, other(*tokens, ALL))
        if changed or key not in at_start:
            raise InputError(
                f"{other.scheme}: parameter {name} gets no gradient, so it is never trained; use it "
                "without .data, detach or rounding, or make it a buffer"
            )


@torch.no_grad()
def check_passed_back(listener: Listener, tokens: Tokens, asked: Answers) -> None:
    """Raise InputError where attention depends on columns of what it is given without a gradient."""
    given = [(method, *one) for method, places in OUTPUTS.items() for one in places.items()]
    for block, (method, name, place) in product(range(listener.host.blocks), given):
        none = asked[block, GRADIENT.format(name)].abs().amax((0, 1, -2), keepdim=True) == 0
        if not none.any():
            continue
        turned = [*tokens]
        turned[place] = torch.where(none, -tokens[place], tokens[place])
        key = block, method
        if find_change({key: asked[key]}, listener(*turned, ALL)):
            raise InputError(
                f"{listener.scheme}: block {block} depends on {name} that get no gradient through it, so "
                "that what makes them is never trained; answer without .data, detach, numpy or rounding"
            )

"""Try a seed beside others, which run first, and an example among many."""

from functools import partial

import torch
from torch.func import functional_call

from stages.core.model.attention import ALL
from stages.core.positions.positions import Positions
from stages.core.randomness.streams import Replicates
from stages.core.settings.configuration import Configuration
from stages.core.settings.errors import InputError
from stages.core.settings.sizes import Model
from stages.training.forward import part_of
from stages.training.host import normaliser_of
from stages.training.predict import BATCH
from stages.trial.alone import EXAMPLE_ALONE
from stages.trial.answers import TOLERANCE, differ, differ_at_all, find_change, narrow, refuse
from stages.trial.build import build
from stages.trial.gradients import ask_with_gradients
from stages.trial.listener import EXAMPLES, MOVE, SEEDS, Listener, Tokens, draw_tokens, move

# seeds of the trial, beside others and elsewhere in a stack
OTHERS = [Replicates(SEEDS.root_seed, SEEDS.task, numbers) for numbers in ([4, 0, 1], [3, 0, 1, 2, 5])]
SHARED, AMONG_OTHERS = slice(0, 2), slice(1, 3)
MOST_TOKENS = 2**15  # of many examples together: these are as many as are scored at once, or take seconds
BESIDE = (
    "differs where other seeds stand beside it; draw each seed's numbers from its own of host.generators, "
    "and keep none in a module or class"
)


def check_beside_others(configuration: Configuration, positions: Positions, sizes: Model) -> None:
    """Raise InputError if a seed starts otherwise next to others, which run first; or many examples do."""
    normaliser = normaliser_of(configuration.architecture)
    scheme, others = str(configuration.scheme), []
    for seeds in OTHERS:
        others.append(Listener(scheme, *build(configuration, positions, sizes, seeds), normaliser))
        for name, value in others[-1].encoding.state_dict().items():
            if len(value) not in (1, len(seeds)):
                raise InputError(f"{scheme}: {name} of a seed {BESIDE}")
        ask_with_gradients(others[-1], draw_tokens(others[-1].host, seeds))
    alone = Listener(scheme, *build(configuration, positions, sizes), normaliser)
    for beside in others:
        check_seeds(alone, beside, draw_tokens(alone.host))
    move(alone.encoding.named_parameters(), MOVE)
    check_many_examples(alone, draw_tokens(alone.host))


@torch.no_grad()
def check_seeds(listener: Listener, beside: Listener, tokens: Tokens) -> None:
    """Raise InputError if a seed starts otherwise next to others: its draws are not its own, or are kept."""
    starts = listener.encoding.state_dict()
    for name, value in beside.encoding.state_dict().items():
        ours = starts[name]
        if len(value) == len(beside.host.generators):
            value, ours = value[AMONG_OTHERS], ours[SHARED]
        if value.shape != ours.shape or differ_at_all(value, ours):
            raise InputError(f"{listener.scheme}: {name} of a seed {BESIDE}")
    answers = narrow(listener(*tokens, ALL), 0, SHARED)
    asked = [each[SHARED] for each in tokens]
    found = functional_call(beside, part_of(beside, AMONG_OTHERS), (*asked, ALL))
    refuse(listener.scheme, find_change(answers, found), BESIDE)


def check_many_examples(listener: Listener, tokens: Tokens) -> None:
    """Raise InputError if examples get other answers or gradients among as many as are scored at once.

    Of a row alone, which costs less than all and rounds otherwise.
    """
    n = len(listener.host.indices)
    many = torch.arange(min(BATCH, max(MOST_TOKENS // n, 2 * EXAMPLES))) % EXAMPLES
    few, all_of_them = (
        ask_with_gradients(listener, [each[:1, part] for each in tokens], slice(0, 1), slice(n - 1, n))
        for part in (torch.arange(EXAMPLES), many)
    )
    coarsely = partial(differ, tolerance=10 * TOLERANCE)
    refuse(listener.scheme, find_change(narrow(few, 1, many), all_of_them, coarsely), EXAMPLE_ALONE)

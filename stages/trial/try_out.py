"""Try an encoding on made-up tokens before models of it are trained; what trains imports nothing of a trial.

A method that forgets `rows`, lets seeds mix or looks ahead would train without a word, on other numbers
than its file says. The trial makes encodings with seeds of its own: a model's streams stay as they are.
"""

import pickle
from contextlib import nullcontext
from dataclasses import replace
from functools import partial

import torch
from torch import Tensor
from torch.func import functional_call

from stages.core.encodings.interface import Host, PositionalEncoding
from stages.core.encodings.lookup.resolve import create
from stages.core.model.attention import ALL
from stages.core.places import Unread
from stages.core.positions.offsets import mask_future
from stages.core.positions.positions import Positions
from stages.core.randomness.global_streams import watch_globals
from stages.core.randomness.streams import Replicates
from stages.core.settings.configuration import Configuration
from stages.core.settings.errors import InputError
from stages.core.settings.sizes import Model
from stages.training.draws import list_drawing
from stages.training.forward import part_of
from stages.training.host import host_for, normaliser_of
from stages.training.predict import BATCH
from stages.trial.gradients import ask_with_gradients, check_passed_back, check_trained
from stages.trial.held import check_held, check_tensors, copy_held
from stages.trial.listener import (
    EXAMPLES,
    SEEDS,
    TOLERANCE,
    Answers,
    Listener,
    Tokens,
    check_numbers,
    differ,
    differ_at_all,
    draw_tokens,
    find_change,
    move,
    narrow,
)
from stages.trial.remarks import find_coarse, find_equal_starts, find_unread, is_cancelled, tell
from stages.trial.tried_draws import check_draws, with_draws

# seeds of the trial, beside others and elsewhere in a stack
OTHERS = [Replicates(SEEDS.root_seed, SEEDS.task, numbers) for numbers in ([4, 0, 1], [3, 0, 1, 2, 5])]
SHARED, AMONG_OTHERS = slice(0, 2), slice(1, 3)
MOST_TOKENS = 2**15  # of many examples together: these are as many as are scored at once, or take seconds
MOVE = 0.2  # of parameters: what starts equal in every seed then differs


def try_out(configuration: Configuration, positions: Positions, sizes: Model) -> None:
    """Raise InputError if a model cannot work with the encoding, or would train something else."""
    scheme = str(configuration.scheme)
    given = pickle.dumps(positions)
    with watch_globals(scheme):
        encoding, host = build(configuration, positions, sizes)
        read = Unread.of(scheme, positions.n_tokens) if encoding.by_index else positions
        again, _ = build(configuration, read, sizes)
        check_shapes(scheme, encoding)
        check_builds(scheme, encoding, again)
        equal = find_equal_starts(encoding)
        normaliser = normaliser_of(configuration.architecture)
        listener, other = (Listener(scheme, one, host, normaliser) for one in (encoding, again))
        tokens = draw_tokens(host)
        at_start, coarse = ask_with_gradients(listener, tokens), find_coarse(listener, tokens)
        with torch.no_grad():
            answers = listener(*tokens, ALL)
            check_tensors(scheme, encoding)
            check_numbers(scheme, answers)
            held = copy_held(encoding)
            refuse(scheme, find_change(answers, listener(*tokens, ALL), differ_at_all), CALLED_AGAIN)
            check_held(scheme, held, copy_held(encoding))
            refuse(scheme, find_change(answers, other(*tokens, ALL), differ_at_all), BUILT_AGAIN)
            refuse(scheme, find_change(answers, at_start), WITH_GRADIENTS)
            refuse(scheme, find_change(answers, other.eval()(*tokens, ALL)), IN_EVALUATION)
            other.train()
            move(encoding.named_parameters(), MOVE)
            answers, asked = listener(*tokens, ALL), ask_with_gradients(listener, tokens)
            check_rows(listener, tokens, answers)
            check_alone(listener, tokens, asked)
            check_passed_back(listener, tokens, asked)
            check_causal(listener, tokens, answers)
            cancelled, ignored = is_cancelled(listener, tokens), False
            if check_draws(scheme, encoding):
                without = answers
                with with_draws(encoding):
                    answers = listener(*tokens, ALL)
                    ignored = find_change(without, answers, differ_at_all) is None
                    check_numbers(scheme, answers)
                    check_rows(listener, tokens, answers)
                    drawn = ask_with_gradients(listener, tokens)
                    check_alone(listener, tokens, drawn)
                    check_passed_back(listener, tokens, drawn)
                    check_causal(listener, tokens, answers)
                refuse(scheme, find_change(without, listener(*tokens, ALL), differ_at_all), DRAW_KEPT)
        check_trained(other, tokens, at_start, asked)
        enlarge = partial(build_larger, configuration, positions, sizes)
        unread = find_unread(encoding, [at_start, asked], enlarge)
    if pickle.dumps(positions) != given:
        raise InputError(
            f"{scheme}: edits host.positions in place, which other encodings are given too; edit a copy, as "
            "host.positions.adjacency.copy()"
        )
    tell(scheme, equal, cancelled, coarse, unread, ignored)


CALLED_AGAIN = "gives other values when it is called again; let them depend on its arguments alone"
IN_EVALUATION = "gives other values when self.training is False, which no model here sets; leave it out"
BESIDE = (
    "differs where other seeds stand beside it; draw each seed's numbers from its own of host.generators, "
    "and keep none in a module or class"
)
ALONE = "gives {} other values alone than beside others; let each depend on its own {} alone"
SEED_ALONE = ALONE.format("a seed", "parameters and tokens")
EXAMPLE_ALONE = ALONE.format("an example", "tokens")
WITH_GRADIENTS = "gives other values where gradients are taken, as in training, than where scores are"
DRAW_KEPT = "goes on with a draw when self.drawn is None, as in scoring; read self.drawn in each call"
BUILT_AGAIN = "gives other values when the same cell is made again; draw at random from host.generators"


def refuse(scheme: str, method: str | None, fault: str) -> None:
    """Raise InputError with the method at fault, if there is one."""
    if method is not None:
        raise InputError(f"{scheme}: {method} {fault}")


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


def build(
    configuration: Configuration, positions: Positions, sizes: Model, seeds: Replicates = SEEDS
) -> tuple[PositionalEncoding, Host]:
    host = host_for(positions, configuration, sizes, seeds)
    return create(configuration, host), host


def build_larger(configuration: Configuration, positions: Positions, sizes: Model) -> PositionalEncoding:
    """Make the encoding for one block more and twice as many heads, with vectors of the same width."""
    host = host_for(positions, configuration, sizes, SEEDS)
    tables = host.n_tables and host.n_tables + 1
    return create(configuration, replace(host, blocks=host.blocks + 1, heads=2 * host.heads, n_tables=tables))


def check_shapes(scheme: str, encoding: PositionalEncoding) -> None:
    """Raise InputError for a parameter that seeds would share, or a buffer that cannot be split."""
    for name, parameter in encoding.named_parameters():
        if parameter.shape[:1] != (len(SEEDS),):
            raise InputError(
                f"{scheme}: parameter {name} has shape {tuple(parameter.shape)}, expected a first axis of "
                f"{len(SEEDS)}, one for each seed: they train side by side, each with values of its own"
            )
    for name, buffer in encoding.named_buffers():
        if buffer.shape[:1] not in ((1,), (len(SEEDS),)):
            raise InputError(
                f"{scheme}: buffer {name} has shape {tuple(buffer.shape)}, expected a first axis of 1, "
                f"for all seeds together, or of {len(SEEDS)}, one for each; write {name}[None]"
            )


def check_builds(scheme: str, encoding: PositionalEncoding, again: PositionalEncoding) -> None:
    """Raise InputError if the same cell starts from other values."""
    others = again.state_dict()
    for name, value in encoding.state_dict().items():
        if not torch.equal(value.nan_to_num(), others[name].nan_to_num()):
            raise InputError(
                f"{scheme}: {name} differs when the same cell is made again; draw it from host.generators"
            )


def check_rows(listener: Listener, tokens: Tokens, answers: Answers) -> None:
    """Raise InputError if tokens give other answers as the only queries, as in a last block."""
    n = len(listener.host.indices)
    middle = n // 2
    for start, stop in dict.fromkeys([(0, 1), (n - 1, n), (middle, min(middle + 2, n))]):
        rows = slice(start, stop)
        method = find_change(narrow(answers, 3, rows), listener(*tokens, rows))
        named = f"row {start}" if stop == start + 1 else f"rows {start}:{stop}"
        refuse(
            listener.scheme,
            method,
            f"gives other values for {named} alone than for all rows; use the argument rows",
        )


def check_alone(listener: Listener, tokens: Tokens, asked: Answers) -> None:
    """Raise InputError if a seed or an example gives other answers or gradients without the others."""
    for seed in (len(SEEDS) - 1, 0):
        one = slice(seed, seed + 1)
        try:
            alone = ask_with_gradients(listener, [each[one] for each in tokens], one)
        except (RuntimeError, ValueError, IndexError) as error:
            said = " ".join(str(error).split()).removeprefix(f"{listener.scheme}: ")
            raise InputError(
                f"{listener.scheme}: fails for one seed of {len(SEEDS)} alone, as where memory is short: "
                f"{said}; hold what belongs to seeds as parameters and buffers"
            ) from None
        refuse(listener.scheme, find_change(narrow(asked, 0, one), alone), SEED_ALONE)
    last = slice(EXAMPLES - 1, EXAMPLES)
    given = any(part.drawn is not None for part in list_drawing(listener.encoding).values())
    with with_draws(listener.encoding, last) if given else nullcontext():
        found = ask_with_gradients(listener, [each[:, last] for each in tokens])
    refuse(listener.scheme, find_change(narrow(asked, 1, last), found), EXAMPLE_ALONE)


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

"""Try an encoding on made-up tokens before models of it are trained; what trains imports nothing of a trial.

A method that forgets `rows`, lets seeds mix or looks ahead would train without a word, on other numbers
than its file says. The trial makes encodings with seeds of its own: a model's streams stay as they are.
"""

import pickle
from functools import partial

import torch

from stages.core.model.attention import ALL
from stages.core.places import Unread
from stages.core.positions.positions import Positions
from stages.core.randomness.global_streams import watch_globals
from stages.core.settings.configuration import Configuration
from stages.core.settings.errors import InputError
from stages.core.settings.sizes import Model
from stages.training.host import normaliser_of
from stages.trial.alone import check_alone, check_rows
from stages.trial.answers import check_numbers, differ_at_all, find_change, refuse
from stages.trial.build import build, build_larger, check_builds, check_shapes
from stages.trial.causal import check_causal
from stages.trial.gradients import ask_with_gradients, check_passed_back, check_trained
from stages.trial.held import check_held, check_tensors, copy_held
from stages.trial.listener import MOVE, Listener, draw_tokens, move
from stages.trial.remarks import (
    find_coarse,
    find_equal_starts,
    find_unread,
    ignores_content,
    is_cancelled,
    tell,
)
from stages.trial.tried_draws import check_draws, with_draws

CALLED_AGAIN = "gives other values when it is called again; let them depend on its arguments alone"
IN_EVALUATION = "gives other values when self.training is False, which no model here sets; leave it out"
WITH_GRADIENTS = "gives other values where gradients are taken, as in training, than where scores are"
DRAW_KEPT = "goes on with a draw when self.drawn is None, as in scoring; read self.drawn in each call"
BUILT_AGAIN = "gives other values when the same cell is made again; draw at random from host.generators"


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
        blind = len(host.indices) > 1 and ignores_content(asked)
    if pickle.dumps(positions) != given:
        raise InputError(
            f"{scheme}: edits host.positions in place, which other encodings are given too; edit a copy, as "
            "host.positions.adjacency.copy()"
        )
    tell(scheme, equal, cancelled, coarse, unread, ignored, blind)

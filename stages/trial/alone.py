"""Check that rows, seeds and examples get the same answers alone as together."""

from contextlib import nullcontext
from functools import partial

from stages.core.settings.errors import InputError
from stages.training.draws import list_drawing
from stages.trial.answers import OF_ALL, OF_SUMS, TOLERANCE, Answers, differ, find_change, narrow, refuse
from stages.trial.gradients import ask_with_gradients
from stages.trial.listener import EXAMPLES, SEEDS, Listener, Tokens
from stages.trial.tried_draws import with_draws

ALONE = "gives {} other values alone than beside others; let each depend on its own {} alone"
SEED_ALONE = ALONE.format("a seed", "parameters and tokens")
EXAMPLE_ALONE = ALONE.format("an example", "tokens")


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
        for tolerance, summed in ((TOLERANCE, False), (OF_SUMS, True)):
            own = {key: each for key, each in narrow(asked, 0, one).items() if (key[0] == OF_ALL) == summed}
            refuse(listener.scheme, find_change(own, alone, partial(differ, tolerance=tolerance)), SEED_ALONE)
    last = slice(EXAMPLES - 1, EXAMPLES)
    given = any(part.drawn is not None for part in list_drawing(listener.encoding).values())
    with with_draws(listener.encoding, last) if given else nullcontext():
        found = ask_with_gradients(listener, [each[:, last] for each in tokens])
    refuse(listener.scheme, find_change(narrow(asked, 1, last), found), EXAMPLE_ALONE)

"""Check what an encoding draws for a step of training, and give it to an encoding on trial."""

from collections.abc import Iterator
from contextlib import contextmanager

from torch import Tensor

from stages.core.encodings.interface import PositionalEncoding
from stages.core.randomness.streams import Replicates
from stages.core.settings.errors import InputError
from stages.training.draws import list_drawing
from stages.trial.listener import EXAMPLES, SEEDS

BESIDE = Replicates(SEEDS.root_seed, SEEDS.task, [4, *SEEDS.numbers])


def ask_draw(part: PositionalEncoding, name: str, examples: int, seeds: Replicates = SEEDS) -> Tensor | None:
    return part.draw(seeds.generators("drawn", name), examples)


def check_draws(scheme: str, encoding: PositionalEncoding) -> bool:
    """Tell whether an encoding draws in training. Raises InputError for draws that no training can repeat."""
    for name, part in list_drawing(encoding).items():
        drawn, again = (ask_draw(part, name, EXAMPLES) for _ in range(2))
        given = tuple(drawn.shape) if isinstance(drawn, Tensor) else type(drawn).__name__
        if not isinstance(drawn, Tensor) or len(drawn) != len(SEEDS) or not drawn.isfinite().all():
            raise InputError(
                f"{scheme}: draw returned {given}, expected finite numbers with a first axis of "
                f"{len(SEEDS)}, one for each seed"
            )
        if again is None or not drawn.equal(again):
            raise InputError(f"{scheme}: draw differs when it is called again; draw from generators alone")
        beside, one = ask_draw(part, name, EXAMPLES, BESIDE), ask_draw(part, name, 1)
        if beside is None or not beside[1:].equal(drawn):
            raise InputError(
                f"{scheme}: draw of a seed differs where others stand beside it; draw each apart"
            )
        if one is None or one.shape not in (drawn.shape, (len(drawn), 1, *drawn.shape[2:])):
            raise InputError(
                f"{scheme}: draw returned {given} of {EXAMPLES} examples, expected [R, ...], [R, batch, ...]"
            )
    return bool(list_drawing(encoding))


@contextmanager
def with_draws(encoding: PositionalEncoding, examples: slice = slice(None)) -> Iterator[None]:
    """Give an encoding what it draws for some of the trial's examples, as in a step of training."""
    before = {name: part.drawn for name, part in list_drawing(encoding).items()}
    for name, part in list_drawing(encoding).items():
        drawn, one = (ask_draw(part, name, count) for count in (EXAMPLES, 1))
        assert drawn is not None and one is not None
        part.drawn = drawn if one.shape == drawn.shape else drawn[:, examples]
    try:
        yield
    finally:
        for name, part in list_drawing(encoding).items():
            part.drawn = before[name]

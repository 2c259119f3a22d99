"""Random generation of Latin-square puzzles of each complexity, at a distance from a validation set."""

import math

import numpy as np
from numpy.typing import NDArray

from stages.core.randomness.streams import generator
from stages.core.settings.errors import InputError
from stages.tasks.grid.facts import COMPLEXITIES
from stages.tasks.grid.latin_squares import Squares, make_pool
from stages.tasks.grid.protocol import Protocol, apportion, choose_targets
from stages.tasks.grid.puzzle_solver import BINARY, QUATERNARY, TERNARY, Cells, solve_in_one_step
from stages.tasks.grid.puzzles import PuzzleSet, find_least_distances, is_beyond

PROPOSALS = 8192  # per round
ROUNDS = 1000
ROUNDS_PER_WISH = 250
# ASSUME: chance that a cell of a quaternary puzzle's line is filled where it may be blank: of the first 98
# published ones 95 have a line that decides with a cell filled
FILLED = 0.9

Targets = NDArray[np.int64]


def givens_range(order: int, least: int, most: int) -> range:
    """Return the numbers of givens in least..most that puzzles of every complexity can have.

    To decide takes n - 1 givens; with more than n*n - 3 the target's row or column is full. Raises InputError
    if none is left.
    """
    givens = range(max(least, order - 1), min(most, order**2 - 3) + 1)
    if not givens:
        raise InputError(
            f"grid.min_givens..max_givens: {least}..{most} given, expected an ascending range that meets "
            f"{order - 1}..{order**2 - 3}, all that puzzles of order {order} can have; widen it"
        )
    return givens


def generate(
    order: int,
    protocols: tuple[Protocol, Protocol],
    n_validation: int,
    n_puzzles: int,
    min_distance: float,
    root_seed: int,
) -> tuple[PuzzleSet, PuzzleSet]:
    """Generate validation puzzles, and others at a Jaccard distance above `min_distance` from each of them.

    `n_validation` and `n_puzzles` are counts per complexity of the set's protocol. All puzzles differ;
    complexities come one after the other. Raises InputError if so many are not found. Source: the protocol of
    Ito et al. (2024), arXiv 2406.08272.
    """
    pool = make_pool(order, generator(root_seed, "grid", "squares"))
    taken: set[bytes] = set()

    def draw(name: str, protocol: Protocol, count: int, others: Cells) -> PuzzleSet:
        rng = generator(root_seed, "grid", name)
        targets = choose_targets(protocol, order**2, -(-count // protocol.turns), rng)
        parts = [
            _fill(complexity, pool, cells, protocol, others, min_distance, taken, rng)
            for complexity, cells in zip(protocol.givens, targets, strict=True)
        ]
        puzzles = np.concatenate([turn(part, protocol.turns)[:count] for part in parts])
        return PuzzleSet(puzzles, *solve_in_one_step(puzzles))

    of_validation, of_puzzles = protocols
    validation = draw("validation", of_validation, n_validation, np.zeros((0, order**2), dtype=np.uint8))
    return validation, draw("puzzles", of_puzzles, n_puzzles, validation.puzzles)


def turn(puzzles: Cells, times: int) -> Cells:
    """Turn every puzzle [N, n*n] into so many orientations, [N * times, n*n].

    Each is the one before turned clockwise by 90 degrees, with 2 for 1, ..., 1 for n.
    Source: the puzzles of the study with people in Ito et al. (2024), arXiv 2406.08272.
    """
    n = math.isqrt(puzzles.shape[1])
    squares, quarters = puzzles.reshape(-1, n, n), np.arange(times)
    turned = np.stack([np.rot90(squares, -int(quarter), axes=(1, 2)) for quarter in quarters], axis=1)
    renamed = (turned + quarters[:, None, None] - 1) % n + 1
    given = (turned > 0) & (turned <= n)
    return np.where(given, renamed, turned).reshape(-1, n * n).astype(np.uint8)


def _fill(
    complexity: str,
    pool: Squares,
    targets: Targets,
    protocol: Protocol,
    others: Cells,
    min_distance: float,
    taken: set[bytes],
    rng: np.random.Generator,
) -> Cells:
    """Propose one puzzle of that complexity per target, far enough from `others` and not yet in `taken`."""
    givens = protocol.givens[complexity]
    puzzles = np.zeros((len(targets), pool.shape[-1] ** 2), dtype=np.uint8)
    # a number of givens that no proposal of many rounds fits is drawn anew
    wishes = rng.permutation(apportion(givens, len(targets)))
    pending = np.arange(len(targets))
    for attempt in range(1, ROUNDS + 1):
        slots = np.resize(pending, PROPOSALS)
        squares = pool[rng.integers(len(pool), size=PROPOSALS)]
        turned = rng.random(PROPOSALS) < protocol.by_columns
        proposals = _propose(COMPLEXITIES[complexity], squares, targets[slots], wishes[slots], turned, rng)
        good = is_beyond(find_least_distances(proposals, others), min_distance)
        for slot, proposal in zip(slots[good], proposals[good], strict=True):
            copies = {turned.tobytes() for turned in turn(proposal[None], protocol.turns)}
            if not puzzles[slot].any() and not copies & taken:
                puzzles[slot] = proposal
                taken |= copies
        pending = np.flatnonzero(~puzzles.any(1))
        if not pending.size:
            return puzzles
        if attempt % ROUNDS_PER_WISH == 0:
            wishes[pending] = rng.choice(apportion(givens, len(targets)), size=len(pending))
    raise InputError(
        f"grid: {len(targets)} different {complexity} puzzles with {min(givens)} to {max(givens)} givens "
        f"wanted, only {len(targets) - len(pending)} found as far from the validation puzzles as "
        "expected; lower grid.min_distance or the sizes, or widen grid.min_givens..max_givens"
    )


def _propose(
    complexity: int,
    squares: Squares,
    targets: Targets,
    givens: NDArray[np.int64],
    turned: NDArray[np.bool_],
    rng: np.random.Generator,
) -> Cells:
    """Propose puzzles [N, n*n] of that complexity, from squares [N, n, n], with that many givens each.

    turned: [N], where rows and columns take each other's part.
    """
    count, n = len(squares), squares.shape[-1]
    each = np.arange(count)
    row, column = np.divmod(targets, n)
    # the cells of the largest lots are given: all of role 1, none of role -1
    lots = rng.random((count, n, n)) + np.where(
        turned[:, None, None],
        _roles(complexity, squares.swapaxes(1, 2), column, row, rng).swapaxes(1, 2),
        _roles(complexity, squares, row, column, rng),
    )
    lots[each, row, column] = -2
    lots = lots.reshape(count, n * n)
    threshold = np.sort(lots, axis=1)[each, n * n - givens]
    puzzles = np.where(lots >= threshold[:, None], squares.reshape(count, n * n), 0).astype(np.uint8)
    puzzles[each, targets] = n + 1
    return puzzles


def _roles(
    complexity: int,
    squares: Squares,
    row: NDArray[np.int64],
    column: NDArray[np.int64],
    rng: np.random.Generator,
) -> NDArray[np.int8]:
    """Choose the cells that make the complexity, [N, n, n].

    1 for n - 1 givens that decide, -1 for blanks, 0 else. The target has any role. Blanks keep simpler steps
    from deciding. Ternary puzzles have two: a symbol that the row lacks and one that the column lacks.
    Quaternary puzzles have the same, and their row has two blanks.
    """
    count, n = len(squares), squares.shape[-1]
    each = np.arange(count)
    in_row = (np.arange(n) == row[:, None])[:, :, None]
    in_column = (np.arange(n) == column[:, None])[:, None, :]
    if complexity == BINARY:  # each other symbol is given in the row
        return np.broadcast_to(in_row, squares.shape).astype(np.int8)
    answer = squares[each, row, column]
    shuffled = rng.random((count, n - 1)).argsort(1)
    others = (answer[:, None] + shuffled) % n + 1  # the symbols but the answer
    if complexity == TERNARY:  # each other symbol is given in the row or in the column
        # ASSUME: at even odds
        by_row = rng.random((count, n)) < 0.5  # of each symbol
        row_lacks, column_lacks = others[:, 0], others[:, 1]
        by_row[each, row_lacks - 1], by_row[each, column_lacks - 1] = False, True
        decides = np.where(by_row[each[:, None, None], squares - 1], in_row, in_column)
    else:  # each other cell of the row is filled, or the answer is given in its column
        row_lacks = column_lacks = others[:, 0]
        filled = rng.random((count, n)) < FILLED  # of each cell of the row
        filled &= (squares[each, row] != row_lacks[:, None]) & (squares[each, row] != others[:, 1, None])
        decides = np.where(filled[:, None, :], in_row, squares == answer[:, None, None])
    row_blank = in_row & (squares == row_lacks[:, None, None])
    if complexity == QUATERNARY:
        row_blank = row_blank | (in_row & (squares == others[:, 1, None, None]))
    column_blank = in_column & (squares == column_lacks[:, None, None])
    roles: NDArray[np.int8] = decides.astype(np.int8) - (row_blank | column_blank)
    return roles

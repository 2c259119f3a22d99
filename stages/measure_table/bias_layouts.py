"""Give each row of a tensor of biases its offset: key minus query."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stages.core.biases import bucket_offsets, line_offsets, window_offsets
from stages.core.positions.positions import Matrix
from stages.core.settings.errors import InputError
from stages.measure_table.layouts import ROWS
from stages.measure_table.relative import BUCKETS, FEWEST, MOST_HEADS, OF_TOKENS

FARTHEST = 128  # distance that T5's last bucket begins before
DRAWN = 64  # distances of ALiBi's slopes


class Bias(NamedTuple):
    """Hold biases [n, H] and offsets [n, k]; said: what was taken, and how to say otherwise."""

    values: Matrix
    offsets: Matrix
    said: list[str]


def lay_out(where: str, stored: NDArray[np.float64], way: str) -> Bias:
    """Return biases with their offsets, read in the way that `--positions` names. Raises InputError."""
    kind, *more = way.split(":")
    if kind == "slopes":
        bias = lay_slopes(stored.ravel())
    elif kind == "past":
        bias = lay_past(where, stored)
    else:
        if stored.ndim != 2 or not 1 <= stored.shape[1] <= MOST_HEADS or len(stored) < FEWEST:
            raise InputError(
                f"{where} is {list(stored.shape)}, expected [offsets, heads] for --positions {way}, at most "
                f"{MOST_HEADS} heads; save it so"
            )
        lay = {"buckets": lay_buckets, "window": lay_window, "offsets": lay_line}[kind]
        bias = lay(where, stored, more)
    if len(bias.values) > ROWS[1]:
        raise InputError(f"{where} has {len(bias.values)} offsets, expected at most {ROWS[1]}; cut it")
    if not np.isfinite(bias.values).all():
        raise InputError(f"{where} holds numbers that are not finite, expected finite ones; correct it")
    return bias


def lay_slopes(slopes: Matrix) -> Bias:
    """Spread slopes [H]: they are subtracted, times distance, whatever sign they are stored with."""
    steps = np.arange(-DRAWN, 1.0)
    negative = bool((slopes <= 0).all())
    said = f"slopes times distance are subtracted; shown up to {DRAWN} steps before the query"
    return Bias(
        steps[:, None] * (-slopes if negative else slopes),
        steps[:, None],
        [said + ("; stored ones are negative, as they are added" if negative else "")],
    )


def lay_past(where: str, stored: NDArray[np.float64]) -> Bias:
    n = stored.shape[-1]
    if stored.ndim < 2 or math.prod(stored.shape[:-1]) > MOST_HEADS or n < FEWEST:
        raise InputError(
            f"{where} is {list(stored.shape)}, expected [heads, n] for --positions past, at most "
            f"{MOST_HEADS} heads; save it so"
        )
    steps = np.arange(1.0 - n, 1.0)[:, None]
    said = f"the last of {n} columns is the query's own place, and each before it a step farther"
    return Bias(stored.reshape(-1, n).T, steps, [said])


def lay_line(where: str, stored: Matrix, more: list[str]) -> Bias:
    rows = len(stored)
    if rows % 2 == 0:
        raise InputError(
            f"{where} has {rows} rows, expected an odd number of offsets, 2 n - 1; cut what is of none"
        )
    said = (
        f"row 0 is of a key {rows // 2} steps before the query, the last of one as far behind; where a model "
        "counts query minus key, these change places"
    )
    return Bias(stored, line_offsets(rows), [said])


def lay_window(where: str, stored: Matrix, more: list[str]) -> Bias:
    """Read a window's offsets; three rows behind them are those of a class token, as BEiT has them."""
    height, width = map(int, more[0].split("x"))
    needed = (2 * height - 1) * (2 * width - 1)
    if not (height and width) or len(stored) not in (needed, needed + OF_TOKENS):
        raise InputError(
            f"{where} has {len(stored)} rows, expected {needed} for --positions window:{more[0]}, or "
            f"{OF_TOKENS} more of a class token; give the window's rows and columns"
        )
    said = [
        f"offsets in a window of {height} x {width}, query minus key as Swin and BEiT store them, shown as "
        "key minus query; another window: --positions window:ROWSxCOLUMNS"
    ]
    if len(stored) > needed:
        means = ", ".join(f"{mean:.3g}" for mean in stored[needed:].mean(axis=1))
        said.append(
            "the last three rows are of a class token and left out; their means: "
            f"{means} (to patches, from patches, itself)"
        )
    return Bias(stored[:needed], window_offsets(height, width), said)


def lay_buckets(where: str, stored: Matrix, more: list[str]) -> Bias:
    heads_first = len(stored) != BUCKETS == len(stored.T)
    stored = stored.T if heads_first else stored
    rows, (direction, *distance) = len(stored), more
    both, farthest = direction == "both", int(distance[0]) if distance else FARTHEST
    exact = rows // (4 if both else 2)
    if rows % (4 if both else 2) or farthest <= exact:
        raise InputError(
            f"{where} has {rows} rows and {farthest} as farthest distance, expected "
            f"{'a multiple of 4' if both else 'an even number of'} buckets and more than {exact}; give "
            f"--positions buckets:{direction}:FARTHEST, or offsets"
        )
    offsets = bucket_offsets(rows, both, farthest)
    taken = "before and behind the query, as in an encoder" if both else "up to the query, as in a decoder"
    said = [
        f"{rows} buckets of keys {taken}; otherwise: --positions buckets:{'past' if both else 'both'}",
        f"distances up to {farthest}, each bucket at the mean of its own; of a model with another farthest "
        f"distance: buckets:{direction}:FARTHEST",
    ]
    if heads_first:
        said.append(f"taken as [heads, buckets], as T5X keeps them; of {BUCKETS} heads: save it turned")
    if unused := [str(row) for row in range(rows) if row not in offsets]:
        said.append(f"left out, as no offset has them: rows {', '.join(unused)}")
    kept = [*offsets]
    # in the order of offsets, as they are drawn
    order = np.argsort([offsets[row] for row in kept], kind="stable")
    steps = np.array([offsets[row] for row in kept])[order]
    return Bias(stored[np.array(kept)[order]], steps[:, None], said)

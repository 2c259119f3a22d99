"""Find the tensor of a file that holds biases by offset, or rotary frequencies, and say what its rows are."""

import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from stages.core.settings.errors import InputError, one_of
from stages.measure_table.choosing import NAMELESS, describe
from stages.measure_table.layouts import OWN, is_table
from stages.measure_table.names import BIASES, RELATIVE, is_other, name_other, speaks_of_positions, split
from stages.measure_table.tensors import Tensor

WAYS = {  # of --positions, and what a tensor is by each
    "buckets:both": "T5's buckets of distances both ways [buckets, heads]",
    "buckets:past": "the same of keys up to the query, as in a decoder",
    "window:ROWSxCOLUMNS": "Swin's and BEiT's offsets in a window [(2 h - 1) (2 w - 1), heads]",
    "offsets": "offsets in a line [2 n - 1, heads]",
    "past": "biases of keys up to the query [heads, n], as MPT keeps ALiBi",
    "slopes": "ALiBi's slopes [heads]",
    "frequencies": "rotary inv_freq [pairs]",
}
FORM = r"buckets:(?:both|past)(?::\d{1,6})?|window:\d{1,4}x\d{1,4}|offsets|past|slopes|frequencies"
MOST_HEADS = 128  # columns of a table of relative positions
BUCKETS = 32  # of distances, T5's
FEWEST = 3  # offsets
OF_TOKENS = 3  # rows of BEiT's class token


class Window(NamedTuple):
    """Hold places on each side of a square window, and whose tables have as many rows as it has offsets."""

    whose: str
    side: int


class Found(NamedTuple):
    """Hold a tensor and the way in which its rows are read."""

    name: str
    tensor: Tensor
    way: str


def is_way(positions: str) -> bool:
    """Tell whether `--positions` speaks of offsets or frequencies, not of places."""
    return re.fullmatch(FORM, positions) is not None


def find_relative(
    path: Path, asked: str | None, positions: str, tensors: Mapping[str, Tensor]
) -> Found | None:
    """Find the tensor asked for, else the only one; None where it is to be measured as a table of places.

    positions: "" where nothing was said. Raises InputError where several tensors may be meant, or rows may
    be several things.
    """
    if positions and not is_way(positions):
        return None
    if asked is not None:
        if asked not in tensors:
            return None  # a table's own message tells
        names = [asked]
    elif positions and path.suffix.lower() in NAMELESS:
        names = [*tensors]
    elif not positions and any(is_named_table(*item) for item in tensors.items()):
        return None
    else:
        names = [name for name, tensor in tensors.items() if fits(positions, name, tensor)]
    if not names and positions:
        known = one_of(positions, [name for name in tensors if not is_other(name)] or ["another file's"])
        raise InputError(
            f"{path}: no tensor for --positions {positions} by its name; name it with --tensor: {known}"
        )
    if len(names) > 1:
        several = describe({name: tensors[name] for name in names})
        raise InputError(
            f"{path}: {len(names)} tensors of relative positions; name one with --tensor: {several}"
        )
    if not names:
        return None
    (name,) = names
    ways = [positions] if positions else [*list_ways(name, tensors[name].shape)]
    if len(ways) > 1:
        raise InputError(
            f"{path}: rows of {name} {list(tensors[name].shape)} may be several things; say which with "
            f"--positions: {' or '.join(ways)}"
        )
    return Found(name, tensors[name], ways[0]) if ways and tensors[name].is_float else None


def is_named_table(name: str, tensor: Tensor) -> bool:
    known = name in OWN or speaks_of_positions(name)
    return known and tensor.is_float and is_table(name, tensor.shape)


def fits(positions: str, name: str, tensor: Tensor) -> bool:
    """Tell tensors that may be read so by name and shape; "" for in any way."""
    kinds = {way.partition(":")[0] for way in list_ways(name, tensor.shape)}
    is_weight = kinds == {"frequencies"} or name_other(name) is None
    return tensor.is_float and bool(kinds) and is_weight and positions.partition(":")[0] in {"", *kinds}


def list_ways(name: str, shape: tuple[int, ...]) -> Iterator[str]:
    """List how a tensor's rows may be read by its name and shape; none where it holds no biases by them.

    Vectors of offsets, such as `rel_pos_h` of SAM and `distance_embedding` of BERT, are no biases.
    """
    words = set(split(name))
    is_vector = len(shape) > 0 and math.prod(shape) == max(shape)
    if {"inv", "freq"} <= words:
        yield from ["frequencies"] * is_vector
    elif is_vector:
        yield from ["slopes"] * ("slopes" in words or "alibi" in words)
    elif is_of_keys(shape) and ("alibi" in words or words >= {"attn", "bias"}):
        yield "past"
    elif len(shape) == 2 and shape[1] <= MOST_HEADS and words & RELATIVE and words & {*BIASES, "rpb"}:
        yield from list_rows(words, *shape)


def is_of_keys(shape: tuple[int, ...]) -> bool:
    """Tell [1, heads, 1, n] and [heads, 1, n] of at most 128 heads, and as many keys or more."""
    if len(shape) not in (3, 4) or shape[-2] != 1:
        return False
    heads, keys = shape[-3], shape[-1]
    return math.prod(shape) == heads * keys and heads <= min(MOST_HEADS, keys)


def list_rows(words: set[str], rows: int, columns: int) -> Iterator[str]:
    """List what so many rows of a bias may stand for, or of T5X as many columns."""
    window = find_window(rows)
    square = f"window:{window.side}x{window.side}" if window else ""
    if "table" in words:
        yield from [square] if square else ["window:ROWSxCOLUMNS", "offsets"]
    elif BUCKETS in (rows, columns) or (words >= {"relative", "attention"} and rows % 4 == 0):
        yield "buckets:past" if "decoder" in words else "buckets:both"
    else:
        if square:
            yield square
        if rows % 2 and rows >= FEWEST:
            yield "offsets"
        elif not square:
            yield from ("buckets:both", "window:ROWSxCOLUMNS")


def find_window(rows: int) -> Window | None:
    """Find the square window that has so many offsets; None where none has."""
    for whose, more in (("Swin", 0), ("BEiT", OF_TOKENS)):
        across = math.isqrt(max(rows - more, 0))
        if across**2 == rows - more and across % 2 and across > 1:
            return Window(whose, (across + 1) // 2)
    return None

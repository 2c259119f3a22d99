"""Tell by names and shapes which tensors may be a part of a table, or of something else."""

import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from stages.core.positions.positions import Matrix
from stages.core.settings.errors import InputError
from stages.measure_table.layouts import OWN
from stages.measure_table.names import WORDS, find_parts, is_change, name_other, speaks_of_positions, split
from stages.measure_table.relative import BUCKETS, MOST_HEADS, find_window
from stages.measure_table.tensors import Tensor

LEAST_WINDOW = 7  # rows of Swin's windows; in smaller ones other tables are as likely
FEWEST_OF_TEXT = 64  # places that a model of text has; parts of speech are fewer
ONE_OF_SEVERAL = r"(?:^|[-_.])(?:rank|shard|part|[tm]p)[-_]?(?:rank[-_]?)?\d+"  # mp_rank_00, model-rank0


def doubt_name(where: str, name: str, table: Matrix, asked: str | None) -> Iterator[str]:
    """Say what a name that does not speak of positions leaves open.

    Raises InputError for a shape that is known from relative positions, unless the tensor was asked for.
    """
    if speaks_of_positions(name) or name in OWN:
        return
    if what := name_other(name):
        yield f"{name} by its name holds {what}"
    else:
        yield f"no name speaks of positions: is each row of {name} a place?"
    if whose := name_relative(*table.shape):
        said = f"{list(table.shape)} is the shape of {whose}, which are not places"
        if asked is None:
            raise InputError(f"{where}: {said}; if its rows are places, give --tensor {name}")
        yield said


def name_relative(rows: int, columns: int) -> str | None:
    """Name the model whose tables of relative positions have this shape; None where none is known to."""
    if columns > MOST_HEADS:
        return None
    if rows == BUCKETS:
        return f"T5's {BUCKETS} buckets of distances"
    window = find_window(rows)
    if window and window.side >= LEAST_WINDOW:
        return f"{window.whose}'s offsets in a window of {window.side} x {window.side}"
    return None


def doubt_file(path: Path, name: str, n: int, tensors: Mapping[str, Tensor]) -> Iterator[str]:
    """Say which names in a file make a tensor of n rows a part of a table, or not what the model uses."""
    if parts := find_parts(name, tensors):
        yield (
            f"{parts[0]} by its name is a factor, one axis or window of positions: rows of {name} are a part "
            "of what places are given"
        )
    for other, tensor in tensors.items():
        if other != name and math.prod(tensor.shape) > 1 and is_change(name, other):
            yield f"{other} may change what is stored as {name}; if so, save what the model uses as .npy"
            break
    if "pos" in split(name) and n < FEWEST_OF_TEXT and any(WORDS.intersection(split(key)) for key in tensors):
        yield f"{n} rows next to embeddings of words may be parts of speech, which are not places"
    if any(re.search(ONE_OF_SEVERAL, part) for part in (path.parent.name, path.name)):
        yield f"{path.name} may hold one rank's part of each tensor, by its name; if so, join the parts first"

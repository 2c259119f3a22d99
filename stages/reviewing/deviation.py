"""By how much one file deviates from another: per array, column or value, whatever the format.

Known are .npz, .npy, .safetensors, .csv, .json and .png; of any other kind only equal bytes are seen.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.image import imread
from numpy.typing import NDArray

from stages.files import artifacts
from stages.files.artifacts import Arrays

QUANTITY = ("metric", "measure", "kind")  # a long table's columns that say what its rows' values are


@dataclass(frozen=True)
class Deviation:
    """Of one array, column or value of a file.

    absolute: largest |there - here|; of text 0, and inf where the two cannot be set beside each other.
    relative: of floating point numbers `absolute` over the largest magnitude of the artifact's; of whole
    numbers, truth values and text, which have no rounding, the share of entries that differ.
    """

    part: str
    absolute: float
    relative: float
    why: str = ""  # they cannot be set beside each other


def same_bytes(artifact: Path, replayed: Path) -> bool:
    with artifact.open("rb") as one, replayed.open("rb") as other:
        while block := one.read(1 << 20):
            if block != other.read(1 << 20):
                return False
        return not other.read(1)


def deviations(artifact: Path, replayed: Path) -> list[Deviation]:
    """What deviates between two files, the largest relative deviation first; empty if no value does."""
    read = READERS.get(artifact.suffix)
    if read is None:
        return [] if same_bytes(artifact, replayed) else [unlike("", "other bytes")]
    try:
        there, here = read(artifact), read(replayed)
    except Exception as error:  # a damaged picture fails in many ways inside PIL
        return [unlike("", f"cannot be read: {error}")]
    found = [between(name, there.get(name), here.get(name)) for name in {**there, **here}]
    return sorted((one for one in found if one), key=lambda one: -one.relative)


def between(part: str, artifact: NDArray[Any] | None, replayed: NDArray[Any] | None) -> Deviation | None:
    """Of one array from another; None if they are equal, NaN in the same places included."""
    if artifact is None or replayed is None:
        return unlike(part, f"only in the {'replay' if artifact is None else 'artifact'}")
    if artifact.shape != replayed.shape:
        return unlike(part, f"shape {artifact.shape} in the artifact, {replayed.shape} in the replay")
    kinds = {one.dtype.kind for one in (artifact, replayed)}
    if not kinds <= set("biuf"):
        share = _share(artifact.astype(str) != replayed.astype(str))
        return Deviation(part, 0.0, share) if share else None
    there, here = artifact.astype(np.float64), replayed.astype(np.float64)
    finite = np.isfinite(there) & np.isfinite(here)
    if not np.array_equal(there[~finite], here[~finite], equal_nan=True):
        return unlike(part, "not finite in other places")
    absolute = float(np.abs(there - here)[finite].max(initial=0))
    if absolute == 0:
        return None
    if "f" in kinds:
        largest = float(np.abs(there[finite]).max())
        return Deviation(part, absolute, absolute / largest if largest else 1.0)
    return Deviation(part, absolute, _share(there != here))


def unlike(part: str, why: str) -> Deviation:
    """They cannot be set beside each other number by number."""
    return Deviation(part, np.inf, np.inf, why)


def _share(differs: NDArray[np.bool_]) -> float:
    return float(differs.mean()) if differs.size else 0.0


def _columns(path: Path) -> Arrays:
    """Columns of a CSV; in a long table those of numbers once for every quantity."""
    table = artifacts.read_csv(path)
    quantity = next((name for name in QUANTITY if name in table), None)
    arrays = {}
    for name, column in table.items():
        numbers = pd.api.types.is_numeric_dtype(column)
        if quantity is None or not numbers:
            arrays[str(name)] = column.to_numpy() if numbers else column.to_numpy(str)
            continue
        for key, some in column.groupby(table[quantity], sort=False):
            arrays[f"{name} of {key}"] = some.to_numpy()
    return arrays


def _leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every scalar of a JSON value, by its path."""
    inner = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    )
    if inner is None:
        yield name, value
    else:
        for key, one in inner:
            yield from _leaves(one, f"{name}.{key}" if name else str(key))


def _json(path: Path) -> Arrays:
    values = _leaves(artifacts.read_json(path))
    return {
        name: np.array(value if isinstance(value, float | int) else json.dumps(value))
        for name, value in values
    }


READERS: dict[str, Callable[[Path], Arrays]] = {
    ".npz": artifacts.read_arrays,
    ".npy": lambda path: {"array": np.load(path, mmap_mode="r", allow_pickle=False)},
    ".safetensors": artifacts.read_weights,
    ".csv": _columns,
    ".json": _json,
    ".png": lambda path: {"pixels": imread(path).astype(np.float64)},
}

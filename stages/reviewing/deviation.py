"""By how much one file deviates from another: per array, column or value, whatever the format.

Known are .npz, .npy, .safetensors, .csv, .json and .png; of any other kind only equal bytes are seen.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.image import imread
from numpy.typing import NDArray

from stages.files import artifacts
from stages.files.artifacts import Arrays

QUANTITY = "metric"  # a long table's column that says what its rows' values are
BLOCK = 4  # pixels: a dot of a figure is larger
NOT_FINITE = "not finite in other places"


@dataclass(frozen=True)
class Deviation:
    """Of one array, column or value of a file.

    absolute: largest |artifact - replay|; of text 0, and inf where the two cannot be compared.
    relative: of floating point numbers `absolute` over the largest magnitude of the artifact's; of whole
    numbers, truth values and text, which have no rounding, the share of entries that differ.
    """

    part: str
    absolute: float
    relative: float
    why: str = ""  # why the two cannot be compared; "" where they can

    def __str__(self) -> str:
        if self.why:
            return f"{self.part}: {self.why}" if self.part else self.why
        if not self.absolute:
            return f"{self.part}: {self.relative:.1%} of entries"
        return f"{self.part}: {self.absolute:.1e}, relative {self.relative:.1e}"


def list_deviations(artifact: Path, replayed: Path) -> list[Deviation]:
    """What deviates between two files of other bytes, the largest relative deviation first."""
    if artifact.suffix not in READERS:
        return [not_comparable("", "other bytes")]
    try:
        old, new = map(READERS[artifact.suffix], (artifact, replayed))
    except Exception as error:  # a damaged picture fails in many ways inside PIL
        return [not_comparable("", f"cannot be read: {error}")]
    deviations = [compare_arrays(name, old.get(name), new.get(name)) for name in {**old, **new}]
    return sorted(filter(None, deviations), key=lambda deviation: -deviation.relative)


def compare_arrays(part: str, old: NDArray[Any] | None, new: NDArray[Any] | None) -> Deviation | None:
    """The artifact's array `old` beside the replay's; None if equal, NaN in the same places included."""
    if old is None or new is None:
        return not_comparable(part, f"only in the {'replay' if old is None else 'artifact'}")
    if old.shape != new.shape:
        return not_comparable(part, f"shape {old.shape} in the artifact, {new.shape} in the replay")
    kinds = {old.dtype.kind, new.dtype.kind}
    if not kinds <= set("biuf"):
        differ = old.astype(str) != new.astype(str)
        return Deviation(part, 0.0, float(differ.mean())) if differ.any() else None
    old, new = old.astype(np.float64), new.astype(np.float64)
    finite = np.isfinite(old) & np.isfinite(new)
    if not np.array_equal(old[~finite], new[~finite], equal_nan=True):
        return not_comparable(part, NOT_FINITE)
    absolute = float(np.abs(old - new)[finite].max(initial=0))
    if absolute == 0:
        return None
    if "f" in kinds:
        largest = float(np.abs(old[finite]).max())
        return Deviation(part, absolute, absolute / largest if largest else 1.0)
    return Deviation(part, absolute, float((old != new).mean()))


def not_comparable(part: str, why: str) -> Deviation:
    return Deviation(part, np.inf, np.inf, why)


def _read_columns(path: Path) -> Arrays:
    """Columns of a CSV; of a long table once for every quantity."""
    table = artifacts.read_csv(path)
    if QUANTITY not in table:
        return {str(name): column.to_numpy() for name, column in table.items()}
    groups = table.groupby(QUANTITY, sort=False, dropna=False)
    return {f"{name} of {key}": column.to_numpy() for key, rows in groups for name, column in rows.items()}


def leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every scalar in nested dictionaries and lists, by its path."""
    if not isinstance(value, dict | list):
        yield name, value
        return
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield from leaves(inner, f"{name}.{key}" if name else str(key))


def _read_scalars(path: Path) -> Arrays:
    return {
        name: np.array(value if isinstance(value, float | int) else json.dumps(value))
        for name, value in leaves(artifacts.read_json(path))
    }


def _read_pixels(path: Path) -> Arrays:
    """Read a picture as means of squares of BLOCK pixels.

    Pictures have 256 colours, so that rounding may give single pixels at an edge another one.
    """
    pixels = imread(path).astype(np.float64)
    down, across = (np.arange(0, length, BLOCK) for length in pixels.shape[:2])
    count = np.outer(
        *(np.diff([*at, length]) for at, length in zip((down, across), pixels.shape, strict=False))
    )
    sums = np.add.reduceat(np.add.reduceat(pixels, down, axis=0), across, axis=1)
    return {"pixels": sums / count.reshape(count.shape + (1,) * (pixels.ndim - 2))}


READERS: dict[str, Callable[[Path], Arrays]] = {
    ".npz": artifacts.read_arrays,
    ".npy": artifacts.read_arrays,
    ".safetensors": artifacts.read_weights,
    ".csv": _read_columns,
    ".json": _read_scalars,
    ".png": _read_pixels,
}

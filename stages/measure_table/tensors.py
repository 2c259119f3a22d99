"""A tensor of a file, read when it is asked for."""

import mmap
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from stages.core.positions.positions import Matrix


class Tensor(NamedTuple):
    """kind: of its numbers, in the words of its format; read: the numbers in double precision.

    labels: of its rows; notes: what was left out. Only a .csv has them.
    """

    shape: tuple[int, ...]
    kind: str
    read: Callable[[], NDArray[Any]]
    labels: list[str] | None = None
    notes: Sequence[str] = ()

    @property
    def is_float(self) -> bool:
        """Tell whether it holds floats: float32, bfloat16, F16, BF16."""
        return re.match("b?f", self.kind, re.IGNORECASE) is not None


def of_torch(tensor: torch.Tensor) -> Tensor:
    sparse = "" if tensor.layout == torch.strided else "sparse "
    return Tensor(tuple(tensor.shape), sparse + name_kind(tensor.dtype), lambda: exact(tensor))


def of_numpy(array: NDArray[Any]) -> Tensor:
    return Tensor(array.shape, array.dtype.name, lambda: np.asarray(array, np.float64))


def name_kind(kind: torch.dtype) -> str:
    return str(kind).removeprefix("torch.")


def exact(tensor: torch.Tensor) -> Matrix:
    """Convert to double precision, which holds every kind of float exactly."""
    return np.asarray(tensor.detach().to(torch.float64).numpy())


def map_file(path: Path) -> memoryview:
    """Map the bytes of a file into memory; nothing is copied."""
    with path.open("rb") as file:
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def read_stored(content: memoryview, kind: torch.dtype, shape: tuple[int, ...]) -> Matrix:
    """Read little-endian numbers. Raises ValueError where they are not as many as the shape needs."""
    needed = int(torch.Size(shape).numel()) * kind.itemsize
    if len(content) != needed:
        raise ValueError(f"{len(content)} bytes of numbers, expected {needed}")
    return exact(torch.frombuffer(bytearray(content), dtype=kind).reshape(shape))

"""The tensors of a file, whatever model or program wrote it; no code in it runs."""

import pickle
import warnings
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any
from zipfile import ZipFile, is_zipfile

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import safe_open

from stages.core.settings.errors import InputError
from stages.files.artifacts import name_damage, read_arrays, read_json, read_npy_header
from stages.files.number_csv import read_numbers
from stages.files.pointers import refuse_pointer
from stages.measure_table.ctranslate2 import is_ctranslate2, read_variables
from stages.measure_table.names import speaks_of_positions
from stages.measure_table.onnx import read_constants
from stages.measure_table.tensors import Tensor, exact, of_numpy, of_torch

SUFFIXES = (".safetensors", ".npy", ".npz", ".csv", ".onnx", ".pt", ".pth", ".bin")
SHOWN = 5  # tensors of an index
NOT_WEIGHTS = (
    "more than weights, and to open it could run code; expected torch.save(model.state_dict(), path)"
)


def list_tensors(path: Path, asked: str | None = None) -> dict[str, Tensor]:
    """List all tensors of a file, by name. Raises InputError for what cannot be read.

    asked: the tensor that is wanted, of which the message tells the file where an index of files is given.
    """
    refuse_other(path, asked)
    match path.suffix.lower():
        case ".csv":
            table = read_numbers(path)
            numbers = of_numpy(table.numbers)
            return {path.stem: numbers._replace(labels=table.labels, notes=table.notes)}
        case ".npy":
            return {name: of_numpy(array) for name, array in read_arrays(path).items()}
        case suffix:
            with name_damage(path):
                tensors = list_stored(path, suffix)
            named = name_damage(path)  # also where numbers are read later
            return {name: tensor._replace(read=named(tensor.read)) for name, tensor in tensors.items()}


def list_stored(path: Path, suffix: str) -> dict[str, Tensor]:
    """List tensors of a file by its format. Raises errors of any kind for a damaged one."""
    match suffix:
        case ".safetensors":
            return list_safetensors(path)
        case ".npz":
            return dict(list_arrays(path))
        case ".onnx":
            return read_constants(path)
        case ".bin" if is_ctranslate2(path):
            return read_variables(path)
    return {name: of_torch(tensor) for name, tensor in name_tensors(unpickle(path))}


def refuse_other(path: Path, asked: str | None) -> None:
    """Raise InputError for a file that is not there, is empty or has another ending."""
    if path.name.lower().endswith(".index.json") and path.is_file():
        refuse_index(path, asked)
    if path.suffix.lower() not in SUFFIXES:
        raise InputError(
            f"{path}: expected a name that ends in {', '.join(SUFFIXES)}; export the table as .npy"
        )
    refuse_pointer(path)
    if not path.is_file():
        raise InputError(f"{path} not found, expected a file with a table; check its path")
    if not path.stat().st_size:
        raise InputError(f"{path} is empty, expected a file with a table; export it again")


def refuse_index(path: Path, asked: str | None) -> None:
    """Raise InputError that tells the file of the tensor asked for, else of those of positions."""
    index = read_json(path)
    files = index.get("weight_map") if isinstance(index, dict) else None
    files = files if isinstance(files, dict) else {}
    found = [name for name in files if (name == asked if asked in files else speaks_of_positions(name))]
    told = ", ".join(f"{path.with_name(str(files[name])).name} for {name}" for name in found[:SHOWN])
    cure = told or "the file that it names beside the tensor"
    raise InputError(f"{path} is an index of the files of a model, expected one of these; give {cure}")


def list_arrays(path: Path) -> Iterator[tuple[str, Tensor]]:
    """List arrays of an .npz, packed or not; numbers are unpacked only where they are asked for."""

    def find(name: str) -> NDArray[np.float64]:
        with np.load(path, allow_pickle=False) as arrays:
            return np.asarray(arrays[name], np.float64)

    with ZipFile(path) as archive:
        for member in archive.namelist():
            with archive.open(member) as file:
                shape, kind = read_npy_header(file)
            name = member.removesuffix(".npy")
            yield name, Tensor(shape, kind.name, partial(find, name))


def list_safetensors(path: Path) -> dict[str, Tensor]:
    """List tensors through torch, as numpy knows no bfloat16."""
    file: Any = safe_open(path, framework="pt")

    def find(name: str) -> Tensor:
        part = file.get_slice(name)
        return Tensor(tuple(part.get_shape()), part.get_dtype(), lambda: exact(file.get_tensor(name)))

    return {name: find(name) for name in file.keys()}  # noqa: SIM118, as it is no mapping


def unpickle(path: Path) -> Any:
    """Read a PyTorch file's tensors and containers of them. Raises ValueError if it holds anything else."""
    mapped = is_zipfile(path)
    try:
        with warnings.catch_warnings(action="ignore"):  # of what is refused below
            return torch.load(path, map_location="cpu", weights_only=True, mmap=mapped)
    except pickle.UnpicklingError:
        raise ValueError(NOT_WEIGHTS) from None


def name_tensors(value: Any, name: str = "") -> Iterator[tuple[str, torch.Tensor]]:
    """Name tensors of nested containers; keys are joined with dots. A lone tensor is `table`."""
    if isinstance(value, torch.Tensor):
        yield name or "table", value
    parts: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, Mapping):
        parts = value.items()
    elif isinstance(value, list | tuple):
        parts = enumerate(value)
    for key, part in parts:
        yield from name_tensors(part, f"{name}.{key}" if name else str(key))

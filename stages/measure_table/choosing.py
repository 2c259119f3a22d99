"""Choose the tensor of a file that is the table of positions, as far as names and shapes tell."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from stages.core.places import MOST_AXES
from stages.core.settings.errors import InputError, one_of
from stages.measure_table.layouts import EXPECTED, OWN, find_matrix, is_own, is_short, is_table
from stages.measure_table.names import (
    cut,
    find_parts,
    is_change,
    is_other,
    is_part,
    is_relative,
    name_other,
    speaks_of_positions,
)
from stages.measure_table.tensors import Tensor

SHOWN = 20  # tensors in a message
NAMELESS = (".npy", ".csv")  # their one tensor is called as the file is


def choose(path: Path, tensors: Mapping[str, Tensor]) -> str:
    """Name the only tensor that may be the table. Raises InputError for none and for several."""
    sized = {
        name: tensor for name, tensor in tensors.items() if tensor.is_float and is_table(name, tensor.shape)
    }
    places = {name: tensor for name, tensor in sized.items() if not is_relative(name)}
    if path.suffix.lower() in NAMELESS and places:
        return next(iter(places))
    found = find_tables(places)
    if len(found) == 1:
        (name,) = found
        refuse_coordinates(path, name, sized)
        refuse_part(path, name, tensors)
        refuse_scales(path, name, tensors)
        return name
    silent = not any(map(speaks_of_positions, found))
    if found:
        parts = ", or factors of one by their names" if any(map(is_part, found)) else ""
        raise InputError(
            f"{path}: {'no name speaks of positions, and ' if silent else ''}{len(found)} tensors may be the "
            f"table{parts}; name one with --tensor: {describe(found)}"
        )
    if relative := [name for name in sized if name not in places]:
        refuse_relative(path, relative[0])
    for name in places:
        if cut(name)[1] and (what := name_other(name)):
            raise InputError(
                f"{path}: tensor {name} by its name holds {what}, expected a table of positions; give "
                f"another file or tensor, or --tensor {name} to measure it all the same"
            )
    raise InputError(
        f"{path}: no table in it, expected floats in {EXPECTED}"
        f"{'; no name speaks of positions, as in rotary models' if places else ''}; give another file, or "
        f"--tensor for a table under another name; it holds {describe(tensors)}"
    )


def find_tables(places: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Take the project's own of tensors of a table's size, else those whose names speak of positions.

    Where there are neither, all but those of tokens and layers, and long ones, which are theirs.
    """
    own = [name for name in OWN if name in places and is_own(name, places[name].shape)][:1]
    hinted = own or [name for name in places if speaks_of_positions(name)]
    return {
        name: tensor
        for name, tensor in places.items()
        if (name in hinted if hinted else is_short(tensor.shape) and not is_other(name))
    }


def refuse_coordinates(path: Path, name: str, sized: Mapping[str, Tensor]) -> None:
    """Raise InputError where a tensor may be coordinates of the rows of a wider one, which is the table."""
    sizes = {other: find_matrix(tensor.shape) or tensor.shape[-2:] for other, tensor in sized.items()}
    rows, width = sizes[name]
    tables = [other for other, (others, columns) in sizes.items() if others == rows and columns > MOST_AXES]
    if width <= MOST_AXES and tables:
        raise InputError(
            f"{path}: tensor {name} {list(sized[name].shape)} may be coordinates of the rows of {tables[0]} "
            f"{list(sized[tables[0]].shape)}, expected one table; name it with --tensor; coordinates go to a "
            ".csv for --positions"
        )


def refuse_scales(path: Path, name: str, tensors: Mapping[str, Tensor]) -> None:
    """Raise InputError where a tensor scales a table in whole numbers, as of a quantised model."""
    for other, tensor in tensors.items():
        if not tensor.is_float and is_table(other, tensor.shape) and is_change(other, name):
            raise InputError(
                f"{path}: tensor {name} by its name scales {other}, which holds {tensor.kind}; save the "
                "table that the model makes of both as .npy"
            )


def refuse_part(path: Path, name: str, names: Iterable[str]) -> None:
    """Raise InputError where a table is one axis or window of positions, or such lie beside it."""
    if parts := find_parts(name, names):
        raise InputError(
            f"{path}: tensor {parts[0]} by its name is a factor, one axis or window of positions, expected "
            "whole rows; save the table that the model makes of several as .npy, or measure one with --tensor"
        )


def refuse_relative(path: Path, name: str) -> None:
    """Raise InputError where a tensor is of relative positions by its name."""
    if is_relative(name):
        raise InputError(
            f"{path}: tensor {name} holds relative positions by its name, expected a row for each place; "
            "name another tensor, or where its rows are biases by offset give --positions buckets:both, "
            "window:ROWSxCOLUMNS or offsets"
        )


def check_tensor(path: Path, name: str, tensors: Mapping[str, Tensor]) -> Tensor:
    """Return the tensor of that name. Raises InputError where there is none, or it can be no table."""
    where = f"{path}: tensor {name}"
    if name not in tensors:
        known = one_of(name, [other for other in tensors if not is_other(other)] or ["another file's"])
        raise InputError(f"{where} not found, expected {known}; name another tensor")
    tensor = tensors[name]
    if not tensor.is_float:
        raise InputError(
            f"{where} holds {tensor.kind}, expected real numbers such as float32; convert it first"
        )
    refuse_relative(path, name)
    if not is_table(name, tensor.shape):
        raise InputError(
            f"{where} is {list(tensor.shape)}, expected {EXPECTED}; name another tensor, or cut the table out"
        )
    return tensor


def describe(tensors: Mapping[str, Tensor]) -> str:
    """List name, shape and kind of the first of them."""
    named = [f"{name} {list(tensor.shape)} {tensor.kind}" for name, tensor in tensors.items()]
    more = [f"{len(named) - SHOWN} more"] if len(named) > SHOWN else []
    return ", ".join([*named[:SHOWN], *more]) or "nothing"

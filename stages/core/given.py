"""Read numbers that a user gives as an array, a tensor, lists or a frame of named columns."""

from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import Tensor

from .column_doubts import find_row_numbers
from .places import KINDS
from .positions.row_numbers import is_row_number, numbers_rows
from .settings.errors import InputError

Numbers = NDArray[np.float64]


def to_numbers(name: str, given: ArrayLike | Tensor) -> Numbers:
    """Return real numbers in double precision, all of which count. Raises InputError."""
    if holds_masked(given):
        raise InputError(
            f"{name} holds masked numbers, expected ones that all count; leave out the rows or columns that "
            "hold them"
        )
    try:
        values: Any = given
        if isinstance(given, Tensor):  # numpy has no bfloat16
            values = given.detach().cpu().to(torch.complex128 if given.is_complex() else torch.float64)
            values = values.resolve_conj().resolve_neg()
        array = np.asarray(values)
        if array.dtype.kind in "mM":  # dates; as a number, one that is absent would be a very early one
            array = np.where(np.isnat(array), np.nan, array.astype(np.float64))
        if not np.iscomplexobj(array):
            array = array.astype(np.float64, order="C")  # by which sums round
    except (TypeError, ValueError, RuntimeError) as error:
        raise InputError(f"{name}: {error}, expected an array of numbers; leave out names") from None
    if np.iscomplexobj(array):
        raise InputError(
            f"{name} holds complex numbers, expected real ones; give those that are meant, as in "
            "hstack([x.real, x.imag]), or angles"
        )
    refuse_row_numbers(name, given, array)
    return array


def holds_masked(given: Any) -> bool:
    """Tell whether an array, or one in lists, has masked numbers."""
    if isinstance(given, list | tuple):
        return any(map(holds_masked, given))
    return isinstance(given, np.ma.MaskedArray) and bool(np.ma.is_masked(given))


def refuse_row_numbers(name: str, given: Any, numbers: Numbers) -> None:
    """Raise InputError for a frame with a column or an index that may number its rows."""
    index, columns = np.asarray(list_labels(given)), getattr(given, "columns", ())
    if index.dtype.kind in "iuf" and numbers_rows(index.astype(np.float64)) and (np.diff(index) < 0).any():
        raise InputError(
            f"{name}: its index numbers rows in another order than they stand; give .sort_index(), or "
            ".to_numpy() for rows as they stand"
        )
    if numbers.ndim != 2 or not numbers.size or len(columns) != numbers.shape[1]:
        return
    counted = find_row_numbers(numbers)
    for at, column in enumerate(map(str, columns)):
        if at in counted or (len(columns) > 1 and is_row_number(column)):
            raise InputError(
                f"{name}: column {column[:60]!r} may number rows, expected numbers of the {name} alone; give "
                f".drop(columns={columns[at]!r}), or .to_numpy() if it belongs there"
            )


def refuse_other_rows(name: str, given: Any, of: str, table: Any) -> None:
    """Raise InputError where two frames label their rows otherwise: they are taken as they stand."""
    own, theirs = list_labels(given), list_labels(table)
    if own and theirs and len(own) == len(theirs) and own != theirs:
        at = next(at for at, label in enumerate(own) if label != theirs[at])
        raise InputError(
            f"{name}: row {at} is labelled {own[at]}, and that of the {of} {theirs[at]}, expected the same "
            f"labels in one order; give {name}.loc[{of}.index], or .to_numpy() for rows as they stand"
        )


def list_labels(given: Any) -> list[Any]:
    """List the labels of a frame's rows; none where they only count from 0, or it is no frame."""
    index = getattr(given, "index", ())
    labels = [] if callable(index) else list(index)
    return [] if labels == list(range(len(labels))) else labels


def refuse_other_columns(name: str, given: Any) -> None:
    """Raise InputError for a frame of axes with other columns between, such as codes of regions."""
    columns = [str(column) for column in getattr(given, "columns", ())]
    known = max(([column for column in columns if column.lower() in kind] for kind in KINDS), key=len)
    if known and len(known) < len(columns):
        others = [column for column in columns if column not in known]
        raise InputError(
            f"{name}: column {others[0]!r} stands beside {', '.join(known)}, expected axes alone; give "
            f"{name}[{known}], or .to_numpy() if all are axes"
        )

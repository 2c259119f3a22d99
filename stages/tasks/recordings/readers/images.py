"""Load NIfTI and CIFTI images; InputError for other kinds, other than real numbers, or a file cut short."""

from math import prod
from pathlib import Path
from typing import Any

import nibabel
from nibabel.cifti2 import Cifti2Image
from nibabel.nifti1 import Nifti1Image

from stages.core.settings.errors import InputError
from stages.files.artifacts import name_damage

KINDS = {Nifti1Image: "NIfTI", Cifti2Image: "CIFTI"}
GZIP = 1100  # no file is packed closer


def load_nifti(path: Path, axes: int) -> Nifti1Image:
    """Load a NIfTI image of that many axes, further ones of length 1."""
    with name_damage(path):
        image = load(path, Nifti1Image)
        if image.ndim < axes or prod(image.shape[axes:]) != 1:
            last = ", the last of them time" if axes > 3 else ""
            raise InputError(f"shape {image.shape}, expected {axes} axes{last}; reshape it")
    return image


def load_cifti(path: Path, rows: Any, columns: Any, expected: str) -> tuple[Cifti2Image, Any, Any]:
    """Load a CIFTI image [rows, columns] and its axes, of those kinds."""
    with name_damage(path):
        image = load(path, Cifti2Image)
        axes = [image.header.get_axis(axis) for axis in range(image.ndim)]
        if len(axes) != 2 or not (isinstance(axes[0], rows) and isinstance(axes[1], columns)):
            raise InputError(f"no {expected}")
        if image.shape != (len(axes[0]), len(axes[1])):
            raise InputError(f"shape {image.shape}, expected {(len(axes[0]), len(axes[1]))} by its axes")
    return image, axes[0], axes[1]


def load(path: Path, kind: type[Any]) -> Any:
    image = nibabel.load(path)
    if not isinstance(image, kind):
        raise InputError(f"no {KINDS[kind]} image")
    if (numbers := image.get_data_dtype()).kind not in "fiu":
        raise InputError(f"values of type {numbers}, expected real numbers; export it so")
    present = path.stat().st_size * (GZIP if path.suffix == ".gz" else 1)
    if image.dataobj.offset + prod(image.shape) * numbers.itemsize > present:
        raise InputError("not enough data in it; the file is cut short")
    return image

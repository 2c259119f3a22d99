"""Reading a matrix of numbers out of a MATLAB 5 file without trusting what the file says of itself.

scipy's reader recurses through cell arrays until the process dies, and inflates whatever is compressed. So
only arrays of numbers reach it, and only out of bytes that are already there.
"""

import struct
import zlib
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.io import loadmat, whosmat

LARGEST = 2**26  # bytes of a file, inflated; the activity of a subject takes 2**20
HEADER, COMPRESSED = 128, 15  # MAT-file format (MathWorks, version 5): bytes, type of an element
NUMBERS = {"double", "single", *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))}


def read_numbers(path: Path, key: str) -> NDArray[Any]:
    """The array of numbers under `key`. ValueError for none, or a file that is damaged or too large."""
    if path.stat().st_size > LARGEST:
        raise ValueError(f"{path.stat().st_size} bytes, expected at most {LARGEST}")
    try:
        content: Any = BytesIO(inflated(path.read_bytes()))
        kinds = {kind for name, _, kind in whosmat(content) if name == key}
        found = loadmat(content, variable_names=[key])[key] if kinds and kinds <= NUMBERS else None
    except Exception as error:  # a damaged file fails in many ways inside scipy, zlib and struct
        raise ValueError(f"not a readable .mat file ({error}), expected version 5 to 7") from None
    if not isinstance(found, np.ndarray) or found.dtype.kind not in "fiu":
        raise ValueError(f"no array of real numbers under the key '{key}'")
    return found


def inflated(raw: bytes) -> bytes:
    """The file `raw` with its compressed elements stored plainly, at most LARGEST bytes."""
    order = {b"IM": "<", b"MI": ">"}[raw[HEADER - 2 : HEADER]]
    plain, place = bytearray(raw[:HEADER]), HEADER
    while place < len(raw):
        kind, size = struct.unpack_from(f"{order}II", raw, place)
        end = place + 8 + size
        if kind == COMPRESSED:
            inflating = zlib.decompressobj()
            plain += inflating.decompress(raw[place + 8 : end], LARGEST)
            if not inflating.eof or len(plain) > LARGEST:
                raise ValueError(f"cut short, or more than {LARGEST} bytes once inflated")
        else:
            plain += raw[place:end]
        place = end
    return bytes(plain)

"""Reading a matrix of numbers out of a MATLAB 5 file without trusting what the file says of itself.

Not scipy's reader: cells in cells, and a few wrong bytes in an array of numbers, end the whole process with a
segmentation fault (scipy 1.17), and it inflates whatever is compressed.

Format: MathWorks, MAT-File Level 5. After 128 bytes, elements of a type, a size and a content; an array is an
element that consists of elements: flags, dimensions, name, numbers column by column.
"""

import math
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

LARGEST = 2**26  # bytes of a file, and of an array once inflated; the activity of a subject takes 2**20
HEADER, ARRAY, COMPRESSED = 128, 14, 15
STORED = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8"}
CLASSES = dict(enumerate(["f8", "f4", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"], start=6))
COMPLEX = 0x800


def read_numbers(path: Path, key: str) -> NDArray[Any]:
    """The array of real numbers under `key`. ValueError for none, or a file that is damaged or too large."""
    if path.stat().st_size > LARGEST:
        raise ValueError(f"{path.stat().st_size} bytes, expected at most {LARGEST}")
    raw = path.read_bytes()
    try:
        order = {b"\x00\x01IM": "<", b"\x01\x00MI": ">"}[raw[HEADER - 4 : HEADER]]
        for kind, content in elements(raw[HEADER:], order):
            parts = elements(inflated(content, order) if kind == COMPRESSED else content, order)
            (_, flags), (_, dimensions), (_, name) = next(parts), next(parts), next(parts)
            if name == key.encode():
                found = struct.unpack_from(f"{order}I", flags)[0]
                shape = np.frombuffer(dimensions, f"{order}i4").tolist()
                if found & 0xFF not in CLASSES or found & COMPLEX:
                    break
                kind, numbers = next(parts)
                values = np.frombuffer(numbers, order + STORED[kind]).astype(CLASSES[found & 0xFF])
                if min(shape) < 0 or math.prod(shape) != values.size:
                    raise ValueError(f"{values.size} numbers, declared as {shape}")
                return values.reshape(shape, order="F")
    except (ValueError, LookupError, StopIteration, struct.error, zlib.error) as error:
        raise ValueError(f"not a readable .mat file ({error}), expected version 5 to 7") from None
    raise ValueError(f"no array of real numbers under the key '{key}'")


def elements(raw: bytes, order: str) -> Iterator[tuple[int, bytes]]:
    """Type and content of each element of `raw`; ValueError where there is less than declared."""
    place = 0
    while place < len(raw):
        kind, size = struct.unpack_from(f"{order}II", raw, place)
        place += 8
        if kind >> 16:  # four bytes at most, in the place of the size
            kind, size, start = kind & 0xFFFF, kind >> 16, place - 4
        else:
            start = place
            place += size if kind == COMPRESSED else size + -size % 8
        if max(place, start + size) > len(raw):
            raise ValueError(f"{size} bytes declared, {len(raw) - start} there")
        yield kind, raw[start : start + size]


def inflated(content: bytes, order: str) -> bytes:
    """What is inside the one array that `content` is, compressed."""
    inflating = zlib.decompressobj()
    plain = inflating.decompress(content, LARGEST)
    if not inflating.eof:
        raise ValueError(f"cut short, or {LARGEST} bytes or more once inflated")
    return next(inside for kind, inside in elements(plain, order) if kind == ARRAY)

"""The variables of a CTranslate2 model, read from its model.bin without that library.

Little-endian: a u32 version; the model's name; u32 revision; u32 count. Of each variable its name, u8 rank,
u32 sizes, u8 type, u32 bytes and the numbers. A name is a u16 length and so many characters, a zero the last.
Source: CTranslate2's model_spec.py (https://opennmt.net/CTranslate2), which writes such files.
"""

import struct
from pathlib import Path

import torch

from stages.measure_table.tensors import Tensor, map_file, name_kind, read_stored

VERSIONS = (4, 5, 6)  # older ones have no type of numbers; the pickles of PyTorch begin otherwise
KINDS = {0: torch.float32, 1: torch.int8, 2: torch.int16, 3: torch.int32, 4: torch.float16, 5: torch.bfloat16}


class Reader:
    """Goes through the bytes of a file from its beginning."""

    def __init__(self, content: memoryview) -> None:
        self.left = content

    def take(self, size: int) -> memoryview:
        if size > len(self.left):
            raise ValueError(f"it ends {size - len(self.left)} bytes early")
        part, self.left = self.left[:size], self.left[size:]
        return part

    def number(self, kind: str) -> int:
        """Read a whole number of one, two or four bytes: B, H or I."""
        return int(struct.unpack(f"<{kind}", self.take(struct.calcsize(kind)))[0])

    def name(self) -> str:
        return bytes(self.take(self.number("H"))).rstrip(b"\0").decode()


def is_ctranslate2(path: Path) -> bool:
    """Tell whether a file begins with a version that is read here."""
    with path.open("rb") as file:
        return int.from_bytes(file.read(4), "little") in VERSIONS


def read_variables(path: Path) -> dict[str, Tensor]:
    """Read variables by name. Raises ValueError for a damaged file."""
    reader = Reader(map_file(path))
    reader.number("I"), reader.name(), reader.number("I")  # version, model, revision
    return dict(read_variable(reader) for _ in range(reader.number("I")))


def read_variable(reader: Reader) -> tuple[str, Tensor]:
    name = reader.name()
    shape = tuple(reader.number("I") for _ in range(reader.number("B")))
    kind = KINDS.get(number := reader.number("B"))
    if kind is None:
        raise ValueError(f"{name} holds numbers of the unknown type {number}")
    content = reader.take(reader.number("I"))
    return name, Tensor(shape, name_kind(kind), lambda: read_stored(content, kind, shape))

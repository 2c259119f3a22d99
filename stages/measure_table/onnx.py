"""The initializers of an ONNX model, read from its protocol buffers without the onnx package.

Messages and field numbers are those of onnx.proto (https://onnx.ai); the encoding is described in
https://protobuf.dev/programming-guides/encoding.
"""

from collections.abc import Iterator
from pathlib import Path

import torch

from stages.measure_table.tensors import Tensor, map_file, name_kind, read_stored
from stages.positions.positions import Matrix

GRAPH, INITIALIZER = 7, 5  # fields of ModelProto and of GraphProto
KINDS = {1: torch.float32, 10: torch.float16, 11: torch.float64, 16: torch.bfloat16}
NOTHING = memoryview(b"")


def read_initializers(path: Path) -> dict[str, Tensor]:
    """By name. Raises ValueError for a damaged file."""
    graphs = [message for number, _, message in fields(map_file(path)) if number == GRAPH]
    stored = [one for graph in graphs for number, _, one in fields(graph) if number == INITIALIZER]
    return dict(map(read_initializer, stored))


def read_initializer(message: memoryview) -> tuple[str, Tensor]:
    """Name and contents of a TensorProto; those that lie in another file cannot be read."""
    shape: list[int] = []
    name, data_type, content, outside = "", 0, NOTHING, False
    for number, value, part in fields(message):
        match number:
            case 1:  # dims, one by one or packed
                shape += unpack(part) if part else [value]
            case 2:  # data_type
                data_type = value
            case 8:  # name
                name = bytes(part).decode()
            case 4 | 9 | 10:  # float_data, raw_data, double_data: the same bytes
                content = part
            case 14:  # data_location
                outside = value == 1
    kind = KINDS.get(data_type)

    def read() -> Matrix:
        if outside:
            raise ValueError(
                "its numbers lie in another file, expected them inside: save_as_external_data=False"
            )
        return read_stored(content, KINDS[data_type], tuple(shape))

    return name, Tensor(tuple(shape), name_kind(kind) if kind else f"data type {data_type}", read)


def fields(message: memoryview) -> Iterator[tuple[int, int, memoryview]]:
    """Number of each field with its value, if that is a whole number, or with its bytes."""
    place = 0
    while place < len(message):
        key, place = read_varint(message, place)
        value, part = 0, NOTHING
        match key & 7:
            case 0:
                value, place = read_varint(message, place)
            case 1 | 2 | 5 as wire:
                size = {1: 8, 5: 4}.get(wire)
                if size is None:
                    size, place = read_varint(message, place)
                if size > len(message) - place:
                    raise ValueError("it ends within a field")
                part = message[place : place + size]
                place += size
            case wire:
                raise ValueError(f"a field of the unknown kind {wire}")
        yield key >> 3, value, part


def unpack(part: memoryview) -> Iterator[int]:
    """Whole numbers that stand one behind the other."""
    place = 0
    while place < len(part):
        value, place = read_varint(part, place)
        yield value


def read_varint(message: memoryview, place: int) -> tuple[int, int]:
    """A whole number of seven bits per byte, the lowest first, and the place behind it."""
    value = 0
    for number, byte in enumerate(message[place : place + 10]):
        value |= (byte & 127) << (7 * number)
        if byte < 128:
            return value, place + number + 1
    raise ValueError("a number without an end")

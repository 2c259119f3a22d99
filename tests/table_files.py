"""One table in every format that is read, and ONNX files without the onnx package."""

import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from safetensors.torch import save_file

# few digits, so that bfloat16 holds it exactly
TABLE = np.random.default_rng(0).integers(-16, 16, (12, 3)).astype(np.float32) / 8

# written by onnx 1.23.2: from_array "pos" [3, 2] with raw_data, make_tensor "listed" [2, 1] with float_data
BY_ONNX = bytes.fromhex(
    "080e3a441201672a250803080210014203706f734a18000000000000803f0000004000004040000080400000a0402a1808020801"
    "100122080000c03f000000c042066c69737465644202101c"
)


def write_safetensors(path: Path) -> None:
    save_file({"head": torch.ones(3), "encoder.pos_embed": torch.tensor(TABLE)[None]}, path)


def write_bfloat16(path: Path) -> None:
    save_file({"wpe": torch.tensor(TABLE).bfloat16(), "ids": torch.arange(36).reshape(12, 3)}, path)


def write_half(path: Path) -> None:
    np.save(path, TABLE.astype(np.float16))


def write_several(path: Path) -> None:
    np.savez(path, position=TABLE.astype(">f8"), other=np.ones((40, 5)), bias=np.ones(12))


def write_csv(path: Path) -> None:
    pd.DataFrame(TABLE).to_csv(path)


def write_checkpoint(path: Path) -> None:
    layers = [{"weight": torch.nn.Parameter(torch.tensor(TABLE))}]
    torch.save({"epoch": 3, "model": {"layers": layers}, "step": torch.tensor(1)}, path)


def write_legacy(path: Path) -> None:
    torch.save(torch.tensor(TABLE), path, _use_new_zipfile_serialization=False)


def write_onnx(path: Path) -> None:
    ids = encode_tensor("ids", 7, np.zeros((12, 3), np.int64))
    path.write_bytes(encode_model(ids, encode_tensor("pos", 1, TABLE)))


def write_ctranslate2(path: Path) -> None:
    path.write_bytes(encode_variables({"decoder/alibi": np.int8(1), "wpe": TABLE.astype(np.float16)}))


def encode_variables(variables: dict[str, NDArray[np.generic] | np.generic], version: int = 6) -> bytes:
    """A model as CTranslate2 writes it."""
    kinds = {"float32": 0, "int8": 1, "float16": 4, "float64": 9}
    content = struct.pack("<I", version) + named("WhisperSpec") + struct.pack("<II", 3, len(variables))
    for name, array in variables.items():
        content += named(name) + struct.pack(f"<B{array.ndim}I", array.ndim, *array.shape)
        content += struct.pack("<BI", kinds[array.dtype.name], array.nbytes) + array.tobytes()
    return content


def named(name: str) -> bytes:
    return struct.pack("<H", len(name) + 1) + name.encode() + b"\0"


def field(number: int, content: bytes | int) -> bytes:
    if isinstance(content, int):
        return varint(number << 3) + varint(content)
    return varint(number << 3 | 2) + varint(len(content)) + content


def varint(value: int) -> bytes:
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + varint(value >> 7)


def encode_tensor(name: str, data_type: int, array: NDArray[np.generic]) -> bytes:
    shape = b"".join(field(1, size) for size in array.shape)
    return shape + field(2, data_type) + field(8, name.encode()) + field(9, array.tobytes())


def encode_model(*tensors: bytes) -> bytes:
    return field(1, 8) + field(7, b"".join(field(5, one) for one in tensors))


# name of the file, its writer, and the tensor that is the table
FILES: list[tuple[str, Callable[[Path], None], str]] = [
    ("a.safetensors", write_safetensors, "encoder.pos_embed"),
    ("b.safetensors", write_bfloat16, "wpe"),
    ("half.npy", write_half, "half"),
    ("several.npz", write_several, "position"),
    ("table.csv", write_csv, "table"),
    ("model.onnx", write_onnx, "pos"),
    ("model.pt", write_checkpoint, "model.layers.0.weight"),
    ("pytorch_model.bin", write_legacy, "table"),
    ("ctranslate2.bin", write_ctranslate2, "wpe"),
]

"""One table in every format that is read."""

import struct
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from onnx import NodeProto, TensorProto, helper, numpy_helper
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


def write_npy(path: Path, version: tuple[int, int]) -> None:
    with path.open("wb") as file:
        np.lib.format.write_array(file, TABLE, version)


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
    ids = numpy_helper.from_array(np.zeros((12, 3), np.int64), "ids")
    save_model(path, ids, numpy_helper.from_array(TABLE, "pos"))


def write_onnx_listed(path: Path, kind: int) -> None:
    """Write the tensor as a list of numbers: 16-bit ones are in int32_data."""
    save_model(path, helper.make_tensor("pos", kind, TABLE.shape, TABLE.ravel()))


def write_onnx_constant(path: Path) -> None:
    """Write a tensor given by a node."""
    stored = numpy_helper.from_array(TABLE, "value")
    save_model(path, nodes=[helper.make_node("Constant", [], ["pos_embed"], value=stored)])


def write_onnx_unpacked(path: Path) -> None:
    """Write as older libraries of protocol buffers do: float_data number by number, each with its key."""
    listed = b"".join(b"\x25" + struct.pack("<f", value) for value in TABLE.ravel().tolist())
    tensor = TensorProto(name="pos", data_type=TensorProto.FLOAT, dims=TABLE.shape)
    inner = tensor.SerializeToString() + listed
    path.write_bytes(b"\x3a" + chunk(b"\x2a" + chunk(inner)))


def save_model(path: Path, *stored: TensorProto, nodes: Sequence[NodeProto] = ()) -> None:
    model = helper.make_model(helper.make_graph(nodes, "graph", [], [], stored))
    path.write_bytes(model.SerializeToString())


def chunk(content: bytes) -> bytes:
    """Put the length before it, as protocol buffers have it, up to 2^14 bytes."""
    size = len(content)
    return (bytes([size]) if size < 128 else bytes([size & 127 | 128, size >> 7])) + content


def write_ctranslate2(path: Path) -> None:
    path.write_bytes(encode_variables({"decoder/alibi": np.int8(1), "wpe": TABLE.astype(np.float16)}))


def encode_variables(variables: dict[str, NDArray[np.generic] | np.generic], version: int = 6) -> bytes:
    """Write a model as CTranslate2 does."""
    kinds = {"float32": 0, "int8": 1, "float16": 4, "float64": 9}
    content = struct.pack("<I", version) + named("WhisperSpec") + struct.pack("<II", 3, len(variables))
    for name, array in variables.items():
        content += named(name) + struct.pack(f"<B{array.ndim}I", array.ndim, *array.shape)
        content += struct.pack("<BI", kinds[array.dtype.name], array.nbytes) + array.tobytes()
    return content


def named(name: str) -> bytes:
    return struct.pack("<H", len(name) + 1) + name.encode() + b"\0"


# name of the file, its writer, and the tensor that is the table
FILES: list[tuple[str, Callable[[Path], None], str]] = [
    ("a.safetensors", write_safetensors, "encoder.pos_embed"),
    ("b.safetensors", write_bfloat16, "wpe"),
    ("half.npy", write_half, "half"),
    ("second.npy", partial(write_npy, version=(2, 0)), "second"),
    ("third.npy", partial(write_npy, version=(3, 0)), "third"),
    ("several.npz", write_several, "position"),
    ("packed.npz", lambda path: np.savez_compressed(path, pos=TABLE), "pos"),
    ("table.csv", write_csv, "table"),
    ("model.onnx", write_onnx, "pos"),
    ("half.onnx", partial(write_onnx_listed, kind=TensorProto.FLOAT16), "pos"),
    ("bfloat16.onnx", partial(write_onnx_listed, kind=TensorProto.BFLOAT16), "pos"),
    ("double.onnx", partial(write_onnx_listed, kind=TensorProto.DOUBLE), "pos"),
    ("unpacked.onnx", write_onnx_unpacked, "pos"),
    ("constant.onnx", write_onnx_constant, "pos_embed"),
    ("model.pt", write_checkpoint, "model.layers.0.weight"),
    ("pytorch_model.bin", write_legacy, "table"),
    ("ctranslate2.bin", write_ctranslate2, "wpe"),
]

"""Read the numbers that an ONNX model holds: its initializers, and constants of its graph.

Source: onnx.proto (https://onnx.ai).
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnx
from onnx import AttributeProto, TensorProto, helper, numpy_helper

from stages.core.positions.positions import Matrix
from stages.measure_table.tensors import Tensor


def read_constants(path: Path) -> dict[str, Tensor]:
    """Return them by name. Raises an error of protobuf for a damaged file."""
    model = onnx.load(path, load_external_data=False)
    return {name: read_one(stored) for name, stored in name_constants(model)}


def name_constants(model: onnx.ModelProto) -> Iterator[tuple[str, TensorProto]]:
    """Yield initializers, then what each node `Constant` gives, by the name of its output."""
    for stored in model.graph.initializer:
        yield stored.name, stored
    for node in model.graph.node:
        if node.op_type == "Constant":
            for given in node.attribute:
                if given.type == AttributeProto.TENSOR:
                    yield node.output[0], given.t


def read_one(stored: TensorProto) -> Tensor:
    """Wrap one; its numbers cannot be read where they lie in another file."""

    def read() -> Matrix:
        if stored.data_location == TensorProto.EXTERNAL:
            raise ValueError(
                "its numbers lie in another file, expected them inside: save_as_external_data=False"
            )
        return numpy_helper.to_array(stored).astype(np.float64)

    return Tensor(tuple(stored.dims), name_type(stored.data_type), read)


def name_type(data_type: int) -> str:
    """Name a type of numbers as numpy does."""
    if data_type not in helper.get_all_tensor_dtypes():
        return f"data type {data_type}"
    return np.dtype(helper.tensor_dtype_to_np_dtype(data_type)).name

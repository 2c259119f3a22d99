import json
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from onnx import TensorProto, numpy_helper
from table_files import BY_ONNX, FILES, TABLE, encode_variables, save_model

from stages.core.settings.errors import InputError
from stages.measure_table.formats import list_tensors
from stages.measure_table.tables import read_table


@pytest.mark.parametrize(("name", "write", "tensor"), FILES, ids=[row[0] for row in FILES])
def test_the_table_is_found_in_every_format(
    name: str, write: Callable[[Path], None], tensor: str, tmp_path: Path
) -> None:
    write(tmp_path / name)
    found = read_table(tmp_path / name, None)
    assert found.name == tensor and found.rows.dtype == np.float64
    np.testing.assert_array_equal(found.rows, TABLE)


def test_a_model_that_onnx_wrote(tmp_path: Path) -> None:
    (tmp_path / "a.onnx").write_bytes(BY_ONNX)
    read = {name: tensor.read().tolist() for name, tensor in list_tensors(tmp_path / "a.onnx").items()}
    assert read == {"pos": [[0, 1], [2, 3], [4, 5]], "listed": [[1.5], [-2]]}


def test_an_onnx_file_cut_short_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.onnx").write_bytes(BY_ONNX[:60])
    with pytest.raises(InputError, match=r"a\.onnx: damaged .*Error parsing message"):
        list_tensors(tmp_path / "a.onnx")


def test_numbers_of_onnx_in_another_file_or_too_few_are_refused(tmp_path: Path) -> None:
    outside, few = (numpy_helper.from_array(TABLE, name) for name in "ab")
    outside.data_location = TensorProto.EXTERNAL
    few.raw_data = b"1234"
    save_model(tmp_path / "a.onnx", outside, few)
    with pytest.raises(InputError, match="save_as_external_data=False"):
        read_table(tmp_path / "a.onnx", "a")
    with pytest.raises(InputError, match="cannot reshape array of size 1"):
        read_table(tmp_path / "a.onnx", "b")


def test_ctranslate2_numbers_too_few_or_of_an_unknown_type_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.bin"
    content = encode_variables({"wpe": TABLE})
    path.write_bytes(content.replace(struct.pack("<II", 12, 3), struct.pack("<II", 12, 4)))
    with pytest.raises(InputError, match="144 bytes of numbers, expected 192"):
        read_table(path, "wpe")
    path.write_bytes(encode_variables({"wpe": TABLE.astype(np.float64)}))
    with pytest.raises(InputError, match="wpe holds numbers of the unknown type 9"):
        read_table(path, "wpe")


def test_a_pickle_that_would_run_code_is_refused(tmp_path: Path) -> None:
    torch.save({"table": torch.ones(12, 3), "path": Path("x")}, tmp_path / "a.pt")
    with pytest.raises(InputError, match=r"a\.pt: .*more than weights.*state_dict\(\)") as caught:
        list_tensors(tmp_path / "a.pt")
    assert "\n" not in str(caught.value)


def test_no_file_an_empty_one_and_other_names_are_refused(tmp_path: Path) -> None:
    (tmp_path / "b.npy").touch()
    for name, said in (
        ("a.npy", "a.npy not found"),
        ("b.npy", "b.npy is empty"),
        ("a.h5", r"a\.h5: expected .*\.safetensors"),
    ):
        with pytest.raises(InputError, match=said):
            list_tensors(tmp_path / name)


@pytest.mark.parametrize("layout", [torch.sparse_coo, torch.sparse_csr])
def test_a_sparse_tensor_is_called_so(layout: torch.layout, tmp_path: Path) -> None:
    torch.save({"pos": torch.eye(12).to_sparse(layout=layout)}, tmp_path / "a.pt")
    with pytest.raises(InputError, match=r"it holds pos \[12, 12\] sparse float32"):
        read_table(tmp_path / "a.pt", None)
    with pytest.raises(InputError, match="holds sparse float32, expected real numbers"):
        read_table(tmp_path / "a.pt", "pos")


@pytest.mark.parametrize("name", ["a.NPY", "a.Npz", "a.PT"])
def test_endings_are_known_in_any_case(name: str, tmp_path: Path) -> None:
    with (tmp_path / name).open("wb") as file:
        match name.lower():
            case "a.npy":
                np.save(file, TABLE)
            case "a.npz":
                np.savez(file, pos=TABLE)
            case _:
                torch.save({"pos": torch.tensor(TABLE)}, file)
    np.testing.assert_array_equal(read_table(tmp_path / name, None).rows, TABLE)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (None, "give m-1.safetensors for h.wpe.weight$"),
        ("h.wte.weight", "give m-2.safetensors for h.wte.weight$"),
    ],
)
def test_an_index_of_files_names_the_one_of_the_table(asked: str | None, said: str, tmp_path: Path) -> None:
    path = tmp_path / "m.safetensors.index.json"
    files = {"h.wpe.weight": "m-1.safetensors", "h.wte.weight": "m-2.safetensors"}
    path.write_text(json.dumps({"metadata": {}, "weight_map": files}), encoding="utf-8")
    with pytest.raises(InputError, match=said):
        list_tensors(path, asked)
    for content in ('{"weight_map": {"a": "m-2.bin"}}', "[]", "{}"):
        path.write_text(content, encoding="utf-8")
        with pytest.raises(InputError, match="expected one of these; give the file that it names beside"):
            list_tensors(path)
    path.write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match="damaged"):
        list_tensors(path)

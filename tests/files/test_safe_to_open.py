"""Whatever stands in a file that is read: nothing in it runs, nothing else is written, one line refuses it.

`CASES=10000 pytest tests/files/test_safe_to_open.py` opens that many files of each format, instead of 200.
"""

import math
import os
import pickle
import resource
import struct
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import hypothesis
import numpy as np
import pytest
import torch
import yaml
from changed_params import VALUES
from hypothesis import strategies as st
from safetensors.numpy import save
from table_files import BY_ONNX, encode_variables

from stages.files import artifacts
from stages.measure_table.csv_numbers import read_numbers
from stages.measure_table.formats import list_tensors
from stages.parameters import params
from stages.tasks.grid.puzzle_files import read_puzzles
from stages.tasks.network.graphs import from_file

every_file = hypothesis.settings(
    max_examples=int(os.environ.get("CASES", "200")),
    deadline=timedelta(seconds=60),  # on a busy machine; an endless reader is still found
    database=None,
    derandomize="CASES" not in os.environ,  # the same files in every run, other ones on request
    suppress_health_check=list(hypothesis.HealthCheck),
)
MEMORY = 2**31  # bytes that opening a small file may take
MARKER = "executed"


class Harm:
    """Unpickled, it leaves a file in the working folder."""

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return os.mkdir, (MARKER,)


PICKLES = [pickle.dumps(Harm(), protocol) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
PIECES = [*PICKLES, bytes(8), b"\xff" * 4, b"\xff" * 8, b"\xff\xff\xff\x7f", b"<script>", b'"', b"\n", b","]


@st.composite
def damage(draw: st.DrawFn, whole: st.SearchStrategy[bytes]) -> bytes:
    """A whole file after some flips, cuts and insertions, most of them where its header is."""
    content = bytearray(draw(whole))
    for _ in range(draw(st.integers(0, 4))):
        end = draw(st.sampled_from([16, 256, len(content)]))
        place = draw(st.integers(0, max(0, min(end, len(content)) - 1)))
        piece = draw(st.sampled_from(PIECES) | st.binary(max_size=16))
        match draw(st.sampled_from(["flip", "cut", "delete", "insert", "overwrite", "double"])):
            case "flip" if content:
                content[place] ^= 1 << draw(st.integers(0, 7))
            case "cut":
                del content[place:]
            case "delete":
                del content[place : place + draw(st.integers(1, 64))]
            case "insert":
                content[place:place] = piece
            case "overwrite":
                content[place : place + len(piece)] = piece
            case "double":
                content[place:place] = content[place:]
    return bytes(content)


@st.composite
def arrays(draw: st.DrawFn) -> bytes:
    """.npy files whose header declares what is not there: sizes, objects, code."""
    kinds = ["'<f8'", "'|O'", "'<U5'", "'<U99999999'", "'|V0'", "'<M8[s]'", "[('a', '|O')]", "'<f8' * 9**9"]
    shapes = ["(3,)", "(0,)", "()", "(-1,)", "(2**40,)", "(1000000000000,)", "(9999999, 9999999, 9999999)"]
    shapes += ["(True,)", "None", "(" * 300 + ")" * 300, f"__import__('os').mkdir('{MARKER}')"]
    kind, shape = draw(st.sampled_from(kinds)), draw(st.sampled_from(shapes))
    order = draw(st.sampled_from(["True", "False", "1"]))
    header = f"{{'descr': {kind}, 'fortran_order': {order}, 'shape': {shape}, }}\n".encode()
    content = draw(st.sampled_from([*PICKLES, b"", bytes(24), bytes(4096)]))
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + content


@st.composite
def archives(draw: st.DrawFn) -> bytes:
    """.npz files of such arrays, under names that climb out of the folder."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in draw(st.lists(st.sampled_from(["a.npy", "../b.npy", "/c.npy", "d"]), max_size=3)):
            archive.writestr(name, draw(arrays()), draw(st.sampled_from([0, zipfile.ZIP_DEFLATED])))
    return file.getvalue()


def arrays_file() -> bytes:
    file = BytesIO()
    np.savez(file, a=np.arange(12.0).reshape(3, 4), labels=np.array(["<b>", "y"]))
    return file.getvalue()


def array_file() -> bytes:
    file = BytesIO()
    np.save(file, np.arange(12.0))
    return file.getvalue()


def weights_file(new: bool) -> bytes:
    file = BytesIO()
    torch.save({"table": torch.arange(12.0).reshape(3, 4)}, file, _use_new_zipfile_serialization=new)
    return file.getvalue()


def read_tensors(path: Path) -> None:
    """All tensors of a file of a user's own that are no larger than a table may be."""
    for tensor in list_tensors(path).values():
        if tensor.is_float and math.prod(tensor.shape) < 10**7:
            with artifacts.name_damage(path):
                tensor.read()


def read_parameters(path: Path) -> None:
    """A value that does not fit is named by its key alone: there is one such file."""
    try:
        params.load(path)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


WEIGHTS = b"0,1.5,-2\n1e3,0,0.25\n1,2,3\n"
PUZZLES = (
    b"ID,LST_num,condition,puzzles,solutions\n"
    b"b1,1,Binary,5234000000000000,1\nt1,2,Ternary,0001000020000345,2\n"
)
CSV = b'encoding,seed,value\nnone,0,0.5\n"<script>",1,\n'
WIDE = [b"," * 10**6, b"a\n" + b"1," * 10**6, b"\n\n" + b"x," * 10**6 + b"\n1"]
JSON = b'{"a": [1, 2.5, null], "b": {"c": "<b>"}}\n'
NESTED = [b"[" * 10**5, b'{"a":' * 10**5, b"1" * 10**5, b"[" * 100 + b"]" * 100, b"1e999"]
TENSORS = save({"table": np.arange(12.0).reshape(3, 4)}, metadata={"format": "np"})
# the project's own with one scale: reading YAML is slow
PARAMS = yaml.safe_dump(VALUES | {"scales": {"smoke": {}}}).encode()
TAGS = [
    "python/object/apply:os.mkdir [executed]",
    "timestamp x",
    "int ''",
    "bool x",
    "binary \u00e9",
    "set {}",
]
HOSTILE_YAML = [f"seed: !!{tag}\n".encode() for tag in TAGS]
HOSTILE_YAML += [
    b"a: " + b"[" * 3000,
    b"a: " + b"[" * 10**5 + b"]" * 10**5,
    b"2020-01-01: 1",
    b"<<: 1",
    b"? [1]",
]
PICKLED = st.sampled_from(PICKLES)
# name, reader, a whole file, and others beside those that are damaged
FORMATS: list[tuple[str, Callable[[Path], object], bytes, st.SearchStrategy[bytes]]] = [
    ("weights.csv", from_file, WEIGHTS, PICKLED),
    ("puzzles.csv", lambda path: read_puzzles(path, 4), PUZZLES, PICKLED),
    ("a.npz", artifacts.read_arrays, arrays_file(), archives() | arrays()),
    ("a.safetensors", artifacts.read_weights, TENSORS, PICKLED),
    ("a.npy", artifacts.read_arrays, array_file(), arrays()),
    ("a.csv", artifacts.read_csv, CSV, st.sampled_from([*WIDE, *PICKLES])),
    ("a.json", artifacts.read_json, JSON, st.sampled_from([*NESTED, *PICKLES])),
    ("b.csv", read_numbers, WEIGHTS, st.sampled_from([*WIDE, *PICKLES])),
    ("b.safetensors", read_tensors, TENSORS, PICKLED),
    ("b.onnx", read_tensors, BY_ONNX, PICKLED),
    ("b.bin", read_tensors, encode_variables({"pos": np.ones((12, 3), np.float16)}), PICKLED),
    ("new.pt", read_tensors, weights_file(True), archives() | PICKLED),
    ("old.pt", read_tensors, weights_file(False), PICKLED),
    ("params.yaml", read_parameters, PARAMS, st.sampled_from(HOSTILE_YAML)),
]


@contextmanager
def little_memory() -> Iterator[None]:
    """Inside it, more than MEMORY beyond what is mapped now is refused, as MemoryError."""
    mapped = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[0]) * resource.getpagesize()
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (mapped + MEMORY, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def try_open(read: Callable[[Path], object], path: Path, content: bytes) -> bool:
    """Whether `read` takes the file; refusing it, it names the file, in one line as ValueError or OSError.

    Nothing else may come into the file's folder, which is the working one.
    """
    path.write_bytes(content)
    try:
        with little_memory():
            read(path)
        taken = True
    except (ValueError, OSError) as error:
        assert path.name in str(error) and "\n" not in str(error), str(error)
        taken = False
    assert list(path.parent.iterdir()) == [path] and path.read_bytes() == content
    return taken


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "read", "whole", "others"), FORMATS, ids=[row[0] for row in FORMATS])
def test_any_file_is_taken_or_refused_in_one_line(
    name: str,
    read: Callable[[Path], object],
    whole: bytes,
    others: st.SearchStrategy[bytes],
    tmp_path: Path,
) -> None:
    assert try_open(read, tmp_path / name, whole)
    taken = []

    @every_file
    @hypothesis.given(damage(st.just(whole)) | others | damage(others))
    def check(content: bytes) -> None:
        taken.append(try_open(read, tmp_path / name, content))

    check()
    assert 0 < sum(taken) < len(taken)


@pytest.mark.parametrize("content", PICKLES)
def test_what_would_be_executed_would_be_seen(content: bytes, tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        try_open(lambda path: pickle.loads(path.read_bytes()), tmp_path / "x", content)
    assert (tmp_path / MARKER).is_dir()


def test_what_would_take_memory_would_be_seen() -> None:
    with pytest.raises(MemoryError), little_memory():
        bytearray(2**32)

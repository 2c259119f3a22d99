"""Whatever stands in a file that is read: nothing in it runs, nothing else is written, one line refuses it.

`CASES=10000 pytest tests/files/test_safe_to_open.py` opens that many files of each format.
"""

import pickle
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from hostile_files import (
    MARKER,
    PICKLES,
    Bytes,
    array_archives,
    arrays,
    damage,
    every_file,
    little_memory,
    try_open,
)
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save
from scipy.io import savemat

from stages.files import artifacts
from stages.parameters import params
from stages.tasks.grid.puzzle_files import read_puzzles
from stages.tasks.network.graphs import from_file
from stages.tasks.recordings.prepare import read_matrix
from stages.training.checkpoint import Checkpoint


def matrix_file() -> bytes:
    file: Any = BytesIO()
    savemat(file, {"text": "x", "tc": np.arange(12.0).reshape(3, 4)}, do_compression=True)
    return bytes(file.getvalue())


WEIGHTS = b"0,1.5,-2\n1e3,0,0.25\n1,2,3\n"
PUZZLES = (
    b"ID,LST_num,condition,puzzles,solutions\n"
    b"b1,1,Binary,5234000000000000,1\nt1,2,Ternary,0001000020000345,2\n"
)


def arrays_file() -> bytes:
    file = BytesIO()
    np.savez(file, a=np.arange(12.0).reshape(3, 4), labels=np.array(["<b>", "y"]))
    return file.getvalue()


CSV = b'encoding,seed,value\nnone,0,0.5\n"<script>",1,\n'
JSON = b'{"a": [1, 2.5, null], "b": {"c": "<b>"}}\n'
NESTED = st.sampled_from([b"[" * 10**5, b'{"a":' * 10**5, b"1" * 10**5, b"[" * 100 + b"]" * 100, b"1e999"])
WEIGHTS_FILE = save({"table": np.arange(12.0).reshape(3, 4)}, metadata={"format": "np"})
ROOT = Path(__file__).parents[2]
TAGS = (
    "python/object/apply:os.mkdir [executed]",
    "timestamp x",
    "int ''",
    "bool x",
    "binary \u00e9",
    "set {}",
)
HOSTILE_YAML = [f"seed: !!{tag}\n".encode() for tag in TAGS]
HOSTILE_YAML += [
    b"a: " + b"[" * 3000,
    b"2020-01-01: 1",
    b"<<: 1",
    b"? [1]",
]


def parameters_file() -> bytes:
    """The project's own without references, and one scale: reading YAML is slow."""
    values = yaml.safe_load((ROOT / "params.yaml").read_text())
    values |= {"sweep": {}, "tasks": {}, "scales": {values["scale"]: {}}}
    return yaml.safe_dump(values).encode()


def parameters(path: Path) -> None:
    """A value that does not fit is named by its key alone: there is one such file."""
    try:
        params.load(path)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def load_checkpoint(path: Path) -> None:
    """A checkpoint that is damaged counts as none."""
    if Checkpoint(path, "key").load() is None:
        raise ValueError(path.name)


def checkpoint_file() -> bytes:
    metadata = {"key": "key", "state": '{"step": 3}'}
    return bytes(save({"x": np.arange(12.0), "generator": np.arange(9, dtype=np.uint8)}, metadata))


Reader = Callable[[Path], object]
FORMATS: dict[str, tuple[str, Reader, bytes, Bytes]] = {
    "mat": ("tc.mat", lambda path: read_matrix(path, "tc"), matrix_file(), st.sampled_from(PICKLES)),
    "adjacency": ("weights.csv", from_file, WEIGHTS, st.sampled_from(PICKLES)),
    "puzzles": ("puzzles.csv", lambda path: read_puzzles(path, 4), PUZZLES, st.sampled_from(PICKLES)),
    "npz": ("a.npz", artifacts.read_arrays, arrays_file(), array_archives() | arrays()),
    "safetensors": ("a.safetensors", artifacts.read_weights, WEIGHTS_FILE, st.sampled_from(PICKLES)),
    "csv": ("a.csv", artifacts.read_csv, CSV, st.sampled_from(PICKLES)),
    "json": ("a.json", artifacts.read_json, JSON, NESTED | st.sampled_from(PICKLES)),
    "params": ("params.yaml", parameters, parameters_file(), st.sampled_from(HOSTILE_YAML)),
    "checkpoint": ("focus.part", load_checkpoint, checkpoint_file(), st.sampled_from(PICKLES)),
}


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", FORMATS)
def test_whole_files_are_taken(name: str, tmp_path: Path) -> None:
    file, read, whole, _ = FORMATS[name]
    assert try_open(read, tmp_path / file, whole)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", FORMATS)
def test_any_file_is_taken_or_refused_in_one_line(name: str, tmp_path: Path) -> None:
    file, read, whole, made = FORMATS[name]
    taken = []

    @every_file
    @given(damage(st.just(whole)) | made | damage(made))
    def check(content: bytes) -> None:
        taken.append(try_open(read, tmp_path / file, content))

    check()
    print(f"{name}: {len(taken)} files, {sum(taken)} taken")
    assert 0 < sum(taken) < len(taken)


@pytest.mark.parametrize("content", PICKLES)
def test_what_would_be_executed_would_be_seen(content: bytes, tmp_path: Path) -> None:
    with pytest.raises(AssertionError):
        try_open(lambda path: pickle.loads(path.read_bytes()), tmp_path / "x", content)
    assert (tmp_path / MARKER).is_dir()


def test_what_would_take_memory_would_be_seen(tmp_path: Path) -> None:
    with pytest.raises(MemoryError), little_memory():
        bytearray(2**32)
    with pytest.raises(AssertionError):
        try_open(lambda path: path.with_name("other").touch(), tmp_path / "x", b"")

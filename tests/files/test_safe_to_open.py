"""Whatever stands in a file that is read: nothing in it runs, nothing else is written, one line refuses it.

`CASES=10000 pytest tests/files/test_safe_to_open.py` opens that many files of each format, instead of 200.
"""

import math
import os
import pickle
from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import hypothesis
import made_recordings as made
import numpy as np
import pandas as pd
import pytest
import torch
import yaml
from changed_params import VALUES
from hostile_files import MARKER, PICKLES, archives, arrays, damage, little_memory
from hypothesis import strategies as st
from nibabel.nifti1 import Nifti1Image
from safetensors.numpy import save
from table_files import BY_ONNX, encode_variables

from stages.files import artifacts
from stages.files.number_csv import read_numbers
from stages.measure_table.formats import list_tensors
from stages.parameters import params
from stages.tasks.grid.puzzle_files import read_puzzles
from stages.tasks.network.graph_files import from_file
from stages.tasks.recordings.readers import arrays as recordings
from stages.tasks.recordings.readers import cifti, nifti, nwb
from stages.tasks.recordings.readers.parcels import VERTICES, Parcels

every_file = hypothesis.settings(
    max_examples=int(os.environ.get("CASES", "200")),
    deadline=timedelta(seconds=60),  # on a busy machine; an endless reader is still found
    database=None,
    derandomize="CASES" not in os.environ,  # the same files in every run, other ones on request
    suppress_health_check=list(hypothesis.HealthCheck),
)


def written(name: str, write: Callable[[Path], object]) -> bytes:
    with TemporaryDirectory() as folder:
        write(Path(folder, name))
        return Path(folder, name).read_bytes()


def read_tensors(path: Path) -> None:
    """Read all tensors of a user's own file that are no larger than a table may be."""
    for tensor in list_tensors(path).values():
        if tensor.is_float and math.prod(tensor.shape) < 10**7:
            tensor.read()


def read_frames(path: Path) -> None:
    recordings.read_run(path, LABELS)


def read_parameters(path: Path) -> None:
    """Read parameters. A value that does not fit is only named by its key: there is one such file."""
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
TAGS = ["python/object/apply:os.mkdir [executed]", "timestamp x", "int ''", "bool x", "binary \u00e9"]
HOSTILE_YAML = [f"seed: !!{tag}\n".encode() for tag in TAGS]
HOSTILE_YAML += [b"a: " + b"[" * 3000, b"2020-01-01: 1", b"<<: 1", b"? [1]"]
ARRAYS = {"a": np.arange(12.0).reshape(3, 4), "labels": np.array(["<b>", "y"])}
ARCHIVE = written("a.npz", lambda path: artifacts.write_arrays(path, ARRAYS))
STATE = {"table": torch.arange(12.0).reshape(3, 4)}
OLD = written("a.pt", lambda path: torch.save(STATE, path, _use_new_zipfile_serialization=False))
# recordings of two regions, ten vertices each, and an atlas of as many
LABELS, RUN = ["a", "b"], np.random.default_rng(0).normal(size=(10, 2))
TEN, SIDES = np.arange(10), (made.LEFT, made.RIGHT)
ROWS = {side: np.where(np.arange(VERTICES) < 10, row, -1) for row, side in enumerate(SIDES)}
PARCELS = Parcels(pd.DataFrame({"label": LABELS}), ROWS)
DENSE = written("a.nii", lambda path: made.write_dense(path, np.resize(RUN, (10, 28)), made.cortex(TEN, TEN)))
OF_PARCELS = {label: {side: TEN} for label, side in zip(LABELS, SIDES, strict=True)}
PARCELLATED = written("a.nii", lambda path: made.write_parcellated(path, RUN, OF_PARCELS))
ATLAS = Nifti1Image(np.arange(8, dtype=np.int32).reshape(2, 2, 2) % 3, np.diag([4.0, 4, 4, 1]))
SERIES = written("a.nii", lambda path: made.write_nifti(path, np.resize(RUN, (2, 2, 2, 10))))
INDEX = pd.DataFrame({"label": LABELS, "index": [1, 2]})
PICKLED = st.sampled_from(PICKLES)
# name, reader, a whole file, and others beside those that are damaged
FORMATS: list[tuple[str, Callable[[Path], object], bytes, st.SearchStrategy[bytes]]] = [
    ("weights.csv", from_file, WEIGHTS, PICKLED),
    ("puzzles.csv", lambda path: read_puzzles(path, 4), PUZZLES, PICKLED),
    ("a.npz", artifacts.read_arrays, ARCHIVE, archives() | arrays()),
    ("a.safetensors", artifacts.read_weights, TENSORS, PICKLED),
    ("a.npy", artifacts.read_arrays, written("a.npy", lambda path: np.save(path, ARRAYS["a"])), arrays()),
    ("a.csv", artifacts.read_csv, CSV, st.sampled_from([*WIDE, *PICKLES])),
    ("a.json", artifacts.read_json, JSON, st.sampled_from([*NESTED, *PICKLES])),
    ("b.csv", read_numbers, WEIGHTS, st.sampled_from([*WIDE, *PICKLES])),
    ("b.safetensors", read_tensors, TENSORS, PICKLED),
    ("b.onnx", read_tensors, BY_ONNX, PICKLED),
    ("b.bin", read_tensors, encode_variables({"pos": np.ones((12, 3), np.float16)}), PICKLED),
    ("new.pt", read_tensors, written("a.pt", lambda path: torch.save(STATE, path)), archives() | PICKLED),
    ("old.pt", read_tensors, OLD, PICKLED),
    ("params.yaml", read_parameters, PARAMS, st.sampled_from(HOSTILE_YAML)),
    ("run.npy", read_frames, written("a.npy", lambda path: np.save(path, RUN)), arrays()),
    ("run.npz", read_frames, written("a.npz", lambda path: np.savez_compressed(path, RUN)), archives()),
    ("run.csv", read_frames, b"b,a\n1,2\n3,4\n", st.sampled_from([*WIDE, *PICKLES])),
    ("a.dtseries.nii", lambda path: cifti.read_dense(path, PARCELS), DENSE, PICKLED),
    ("a.ptseries.nii", cifti.read_parcellated, PARCELLATED, PICKLED),
    ("a.nii", lambda path: nifti.read_run(path, ATLAS, INDEX, (), 0), SERIES, PICKLED),
]
if find_spec("h5py"):  # an extra of its own
    ROIS = written("a.nwb", lambda path: made.write_nwb(import_module("h5py"), path, np.resize(RUN, (10, 3))))
    FORMATS.append(
        ("a.nwb", lambda path: nwb.open_reader(path, None, (), None).read_run(path), ROIS, PICKLED)
    )


def try_open(read: Callable[[Path], object], path: Path, content: bytes) -> bool:
    """Tell whether `read` takes the file.

    If it refuses, it names the file, in one line as ValueError or OSError. Nothing else may come into the
    file's folder, which is the working one.
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

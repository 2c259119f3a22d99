"""Each example of the README, run as written on recordings of its format."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import made_recordings as made
import numpy as np
import pytest
import yaml
from changed_params import ROOT, write_params

from stages.core.settings.errors import InputError
from stages.data import make
from stages.files.artifacts import read_arrays
from stages.tasks.recordings import fetch, read
from stages.tasks.recordings.readers import parcels

TEXT = (ROOT / "stages/tasks/recordings/README.md").read_text()
BLOCKS = [yaml.safe_load(text)["recordings"] for text in re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)]
EXAMPLES = {block["source"]: block for block in BLOCKS if "source" in block}
PEOPLE = ("01", "02", "03")


def noise(*shape: int, seed: int) -> Any:
    return np.random.default_rng(seed).normal(size=shape)


def write_arrays(root: Path, folder: Path) -> int:
    (folder / "regions.csv").write_text("label,x,y\nb,0,0\na,1,0\nc,0,2\n")
    for seed, person in enumerate(PEOPLE):
        (folder / person).mkdir()
        for run in (1, 2):
            path, values = folder / person / f"run-{run}.csv", noise(20 + run, 3, seed=2 * seed + run)
            np.savetxt(path, values, delimiter=",", header="a,b,c", comments="")
    return 3


def write_cifti(root: Path, folder: Path) -> int:
    fetch.main(root)
    present = parcels.read_packed(root / fetch.PARCELS_FOLDER / "vertices.npz")
    brain = made.cortex(present["grayl"], present["grayr"])
    for seed, person in enumerate(("101", "102", "103")):
        path = folder / f"{person}/MNINonLinear/Results/REST1/REST1_Atlas_MSMAll_hp2000_clean.dtseries.nii"
        made.write_dense(path, noise(22, len(brain), seed=seed), brain)
    return 360


def write_nifti(root: Path, folder: Path) -> int:
    numbers = np.zeros((4, 4, 4), np.int16)
    numbers[:2], numbers[2:] = 5, 9
    made.write_nifti(folder / "atlas.nii.gz", numbers)
    (folder / "regions.csv").write_text("index,label,x,y,z\n5,left,-10,0,0\n9,right,10,0,0\n")
    for seed, person in enumerate(PEOPLE):
        space = "space-MNI152NLin2009cAsym_desc-preproc_bold"
        path = folder / f"sub-{person}/func/sub-{person}_task-rest_{space}.nii.gz"
        made.write_nifti(path, noise(4, 4, 4, 60, seed=seed).astype(np.float32))
        made.write_confounds(path, 60, made.MOTION)
    return 2


def write_rois(root: Path, folder: Path) -> int:
    h5py = pytest.importorskip("h5py", reason="the extra nwb is not installed")
    for seed, person in enumerate(PEOPLE):
        (folder / f"sub-{person}").mkdir()
        made.write_nwb(h5py, folder / f"sub-{person}/sub-{person}_ses-a.nwb", noise(22, 3, seed=seed))
    return 3


WRITERS: dict[str, Callable[[Path, Path], int]] = {
    "arrays": write_arrays,
    "cifti": write_cifti,
    "nifti": write_nifti,
    "nwb": write_rois,
}


@pytest.mark.parametrize("source", sorted(EXAMPLES.keys() | WRITERS.keys()))
def test_an_example_is_read_and_prepared_as_written(source: str, tmp_path: Path) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    example = EXAMPLES[source] | {"folder": str(folder)}
    write_params(tmp_path, {f"recordings.{name}": value for name, value in example.items()})
    n = WRITERS[source](tmp_path, folder)
    read.main(tmp_path)
    make(tmp_path, "recordings")
    arrays = read_arrays(tmp_path / "data/tasks/recordings")
    assert arrays["train_frames"].shape[1] == len(arrays["labels"]) == n
    assert arrays["validation_subjects"].tolist() == example["validation_subjects"]


@pytest.mark.parametrize(
    ("changes", "files", "message"),
    [
        ({"drop_first": 10}, {}, r"drop_first: 10 given, but .*recordings was read with 0; run `python -m"),
        (
            {"files": "{subject}/run-1.csv"},
            {},
            "files: .*run-1.csv' given, but .* was read with '{subject}/r",
        ),
        ({"structural": "weights.csv"}, {}, "structural: 'weights.csv' given, but .* was read with None"),
        ({}, {"03/run-2.csv": ""}, "folder: 03/run-2.csv was changed in .* since .*recordings was read"),
        ({}, {"04/run-1.csv": ""}, "folder: 04/run-1.csv is new in"),
        ({}, {"01/run-1.csv": None}, "folder: 01/run-1.csv is gone in"),
    ],
)
def test_what_was_read_otherwise_is_not_prepared(
    changes: dict[str, object], files: dict[str, str | None], message: str, tmp_path: Path
) -> None:
    folder = tmp_path / "own"
    folder.mkdir()
    values = {f"recordings.{name}": value for name, value in EXAMPLES["arrays"].items()}
    values["recordings.folder"] = str(folder)
    write_params(tmp_path, values)
    write_arrays(tmp_path, folder)
    read.main(tmp_path)
    write_params(tmp_path, values | {f"recordings.{name}": value for name, value in changes.items()})
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).unlink(missing_ok=True)
        if text is not None:
            (folder / name).write_text(text)
    with pytest.raises(InputError, match=rf"^recordings\.{message}"):
        make(tmp_path, "recordings")
    write_params(tmp_path, values | {"recordings.ridge": 0.2})  # of no frame
    folder.rename(tmp_path / "elsewhere")
    make(tmp_path, "recordings")

"""Recordings in a file: the same batches as from memory, some training frames predicted, bounded memory."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from changed_params import ROOT, Changes, change_settings, write_params, write_yaml

from stages.core.randomness.masks import draw_masks
from stages.core.randomness.streams import Replicates
from stages.files.artifacts import Arrays, read_arrays, write_arrays
from stages.tasks.bases.masked import MappedFrames, MaskedRegression
from stages.tasks.facts import find_facts
from stages.tasks.recordings import task as recordings

STREAMS = Replicates(0, "recordings", range(3))


def make_arrays(n_frames: int, n: int) -> Arrays:
    random = np.random.default_rng(0)
    far = random.random((n, n))
    made: Arrays = {name: (far + far.T) / 2 for name in ("structural", "functional")}
    made |= {"coordinates": random.random((n, 3)), "labels": np.array([f"R{i}" for i in range(n)])}
    for split, size in {"train": n_frames, "test": 40, "validation": 50}.items():
        made[f"{split}_frames"] = random.normal(size=(size, n)).astype(np.float32)
        made[f"{split}_masks"] = draw_masks(size, n, 0.5, random)
    return made


def load_from_file(root: Path, made: Arrays, frame_step: int) -> MaskedRegression:
    mapped = ("train_frames", "train_masks")
    write_arrays(
        root / "data/tasks/recordings/frames.npz", {key: made[key] for key in made if key not in mapped}
    )
    for name in mapped:
        np.save(root / f"data/tasks/recordings/{name}.npy", made[name])
    settings = change_settings({"scales.smoke.recordings.data.frame_step": frame_step})
    return recordings.load(settings, find_facts("recordings").read_data(root), torch.device("cpu"))


@pytest.mark.parametrize("frame_step", [1, 3])
def test_batches_from_the_file_are_those_from_memory(frame_step: int, tmp_path: Path) -> None:
    made = make_arrays(100, 6)
    from_file = load_from_file(tmp_path, made, frame_step)
    assert isinstance(from_file.training, MappedFrames)
    in_memory = torch.from_numpy(made["train_frames"][::frame_step])
    assert from_file.n_train == len(in_memory)
    whole = MaskedRegression({"train": in_memory}, {}, 0.5, from_file.positions, np.arange(len(in_memory)))
    for batch, expected in zip(from_file.epoch(STREAMS, 2, 16), whole.epoch(STREAMS, 2, 16), strict=True):
        assert torch.equal(batch.inputs, expected.inputs) and torch.equal(batch.targets, expected.targets)


@pytest.mark.parametrize(("most", "rows"), [(4, [0, 24, 51, 75]), (1000, list(range(0, 100, 3)))])
def test_evenly_spaced_training_frames_are_predicted(
    most: int, rows: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recordings, "MOST_PREDICTED", most)
    made = make_arrays(100, 6)
    task = load_from_file(tmp_path, made, frame_step=3)
    assert task.train_rows.tolist() == rows
    (batch,) = task.evaluation("train", 100)
    assert batch.counted is not None
    assert torch.equal(batch.targets[0], torch.from_numpy(made["train_frames"][rows]))
    assert torch.equal(batch.counted[0], torch.from_numpy(made["train_masks"][rows]))


# of two thousand batches one in twenty is trained on; the others are gathered alone
COMMAND = """
import re, resource, sys
from itertools import islice
from pathlib import Path
from stages.running.command import run_command
from stages.tasks.bases.masked import MaskedRegression

every = MaskedRegression.epoch
MaskedRegression.epoch = lambda *of: islice(every(*of), 0, 2_000, 20)
run_command(sys.argv[1:])
own = int(re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1])
print("peak", max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
"""
STEPS = (["read", "recordings"], ["data", "recordings"], ["train", "many"], ["score", "many"])
OWN: Changes = {
    "recordings.source": "arrays",
    "recordings.files": "{subject}_{run}.npy",
    "recordings.positions": "regions.csv",
    "recordings.structural": None,
    "recordings.train_group": None,
    "recordings.validation_subjects": ["0000", "0001"],
    "scales.smoke.recordings.data.frame_step": 1,
    "scales.smoke.recordings.model.width": 4,
    "scales.smoke.recordings.training": {"seeds": 3, "epochs": 1, "batch_size": 32, "learning_rate": 1e-3},
}
STUDY: Changes = {
    "question": "How many?",
    "tasks": ["recordings"],
    "cells": {"learned": {"scheme": "learned"}},
}
STUDY["figure"] = {"kind": "rows", "metrics": ["score"]}
N_REGIONS, RUNS, FRAMES, LIMIT_BYTES = 360, 4, 1200, 2e9


@pytest.fixture
def many(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """Yield a project with files of so many people, removed afterwards."""
    random, own = np.random.default_rng(0), tmp_path / "own"
    places = [f"r{region},{region},0,0" for region in range(N_REGIONS)]
    own.mkdir()
    (own / "regions.csv").write_text("\n".join(["label,x,y,z", *places]))
    shared = random.normal(size=(FRAMES, N_REGIONS)).astype(np.float32)
    for number in range(request.param * RUNS):
        noise = random.standard_normal(shared.shape, np.float32)
        np.save(own / f"{number // RUNS:04}_{number % RUNS}.npy", shared + noise)
    write_params(tmp_path, OWN | {"recordings.folder": str(own)})
    write_yaml(tmp_path / "studies/many.yaml", STUDY)
    yield tmp_path
    for path in tmp_path.rglob("*.np?"):
        path.unlink()


@pytest.mark.slow
@pytest.mark.parametrize(
    "many",
    [pytest.param(100, marks=pytest.mark.thorough), pytest.param(1000, marks=pytest.mark.huge)],
    indirect=True,
)
def test_recordings_of_many_people_are_used_within_2_gb(many: Path) -> None:
    """Memory is measured from files to scores; a thousand people take 7 GB, and so do training frames."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    for step in STEPS:
        command = [sys.executable, "-c", COMMAND, *step]
        done = subprocess.run(command, cwd=many, env=environment, capture_output=True)
        assert done.returncode == 0, done.stderr.decode()
        peak = re.search(rb"peak (\d+)", done.stdout)
        assert peak is not None
        print(step[0], "peak resident", int(peak[1]) * 1024 / 1e9, "GB")
        assert int(peak[1]) * 1024 < LIMIT_BYTES
    stored = read_arrays(many / "data/studies/many/cells/recordings-learned/predictions.npz")
    assert stored["train_predictions"].shape == (3, recordings.MOST_PREDICTED, N_REGIONS)

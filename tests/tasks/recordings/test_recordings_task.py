"""Recordings in a file: the same batches as from memory, some training frames predicted, bounded memory."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from changed_params import ROOT, change_settings, write_params
from made_up import write_recordings

from stages.files import memory_maps
from stages.files.artifacts import Arrays, read_arrays, write_arrays
from stages.randomness.masks import draw_masks
from stages.randomness.streams import Replicates
from stages.tasks.bases.masked import MappedFrames, MaskedRegression
from stages.tasks.facts import find_facts
from stages.tasks.recordings import task as recordings
from stages.tasks.recordings.prepare import PREPARED

CPU = torch.device("cpu")
STREAMS = Replicates(0, "recordings", range(3))


def make_arrays(n_frames: int, n: int) -> Arrays:
    random = np.random.default_rng(0)
    far = random.random((n, n))
    made: Arrays = {name: far + far.T for name in ("structural", "functional")}
    made |= {"coordinates": random.random((n, 3)), "labels": np.array([f"R{i}" for i in range(n)])}
    for split, size in {"train": n_frames, "test": 40, "validation": 50}.items():
        made[f"{split}_frames"] = random.normal(size=(size, n)).astype(np.float32)
        made[f"{split}_masks"] = draw_masks(size, n, 0.5, random)
    return made


def load_from_file(root: Path, made: Arrays, frame_step: int) -> MaskedRegression:
    write_recordings(root, made)
    settings = change_settings({"scales.smoke.recordings.data.frame_step": frame_step})
    return recordings.load(settings, find_facts("recordings").read_data(root), CPU)


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
    assert batch.hidden is not None
    assert torch.equal(batch.targets[0], torch.from_numpy(made["train_frames"][rows]))
    assert torch.equal(batch.hidden[0], torch.from_numpy(made["train_masks"][rows]))


@pytest.mark.parametrize("free_bytes", [100 * 6 * 4 * 2, 100 * 6 * 4 * 2 - 1])
def test_frames_move_to_a_device_that_has_twice_their_memory(
    free_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_maps, "CHUNK", 1000)
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda device: (free_bytes, 1 << 40))
    stored = make_arrays(100, 6)["train_frames"]
    frames = recordings.place_frames(stored, torch.device("meta"))  # a device without memory
    assert (frames.device.type, len(frames)) == ("meta" if free_bytes % 2 == 0 else "cpu", 100)


# one batch in a hundred is trained on; the others are gathered alone
COMMAND = """
import re, sys
from itertools import islice
from pathlib import Path
from stages import evaluate, train
from stages.running import command
from stages.tasks.bases.masked import MaskedRegression

every = MaskedRegression.epoch
MaskedRegression.epoch = lambda *of: islice(every(*of), 0, 31_000, 100)
command.run({"train": train, "evaluate": evaluate}[sys.argv[0]].main)
print("peak", re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1])
"""
N_REGIONS, N_FRAMES, LIMIT_BYTES = 360, 1200 * 4 * 1200, 4e9


@pytest.fixture
def large(tmp_path: Path) -> Iterator[Path]:
    """A project whose training frames fill 8.3 GB and their masks 2.1 GB, removed afterwards."""
    changes: dict[str, Any] = {"tasks.recordings": [], "scales.smoke.recordings.data.frame_step": 1}
    changes["scales.smoke.recordings.model.width"] = 4
    sizes = {"seeds": 3, "epochs": 1, "batch_size": 32, "learning_rate": 1e-3}
    changes["scales.smoke.recordings.training"] = sizes
    write_params(tmp_path, changes)
    made = make_arrays(N_FRAMES // 1000, N_REGIONS)
    folder = tmp_path / PREPARED
    repeated = {name: made.pop(name) for name in ("train_frames", "train_masks")}
    write_arrays(folder / "frames.npz", made)
    for name, block in repeated.items():
        path, shape = folder / f"{name}.npy", (1000, *block.shape)
        stored = np.lib.format.open_memmap(path, "w+", block.dtype, (N_FRAMES, N_REGIONS))
        stored.reshape(shape)[:] = block
    yield tmp_path
    for path in folder.iterdir():
        path.unlink()


@pytest.mark.slow
@pytest.mark.huge
def test_recordings_of_8_gb_train_and_are_scored_under_4_gb(large: Path) -> None:
    assert (large / PREPARED / "train_frames.npy").stat().st_size > 2 * LIMIT_BYTES
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    for stage in (["train", "--configuration", "focus"], ["evaluate"]):
        code = f"import sys; sys.argv = {[*stage, '--task', 'recordings']}\n{COMMAND}"
        done = subprocess.run([sys.executable, "-c", code], cwd=large, env=environment, capture_output=True)
        assert done.returncode == 0, done.stderr.decode()
        peak = re.search(rb"peak (\d+)", done.stdout)
        assert peak is not None
        print(stage[0], "peak resident", int(peak[1]) * 1024 / 1e9, "GB")
        assert int(peak[1]) * 1024 < LIMIT_BYTES
    stored = read_arrays(large / "data/models/recordings/focus/predictions.npz")
    assert stored["train_predictions"].shape == (3, recordings.MOST_PREDICTED, N_REGIONS)

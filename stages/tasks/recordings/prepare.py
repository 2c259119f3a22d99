"""Stage: frames, fixed evaluation masks and reference connectivity of the recordings.

The recordings are resting-state fMRI of the Human Connectome Project: its Open Access Data Use Terms hold,
for frames.npz and train_frames.npy in data/tasks/recordings too: no re-identification, redistribution under
the same terms only, and the acknowledgement in data/README.md.
"""

from pathlib import Path

import numpy as np
from scipy.io import loadmat

from stages.files import artifacts
from stages.parameters import params
from stages.randomness.masks import draw_masks
from stages.randomness.streams import generator
from stages.running.command import run
from stages.tasks.facts import DATA
from stages.tasks.recordings import signals
from stages.tasks.recordings.facts import FACTS, Settings

RAW = Path("data/raw/recordings")
REGIONS = Path("data/reference/aal2_regions.csv")
PREPARED = DATA / FACTS.name
MAPPED = ("train_frames", "train_masks")  # .npy files of their own: training reads them row by row
AGAIN = "fetch the recordings again with `python -m stages.tasks.recordings.fetch`"


def read_matrix(path: Path, key: str) -> signals.Matrix:
    """The matrix of real numbers under `key` of a .mat file; ValueError where there is none."""
    artifacts.require(path, "stages.tasks.recordings.fetch")
    try:
        values = loadmat(path, variable_names=[key]).get(key)
    except Exception as error:  # a damaged file fails in many ways inside scipy
        reason = " ".join(str(error).split()) or type(error).__name__
        raise ValueError(f"{path}: damaged or no .mat file ({reason}); {AGAIN}") from None
    if not isinstance(values, np.ndarray) or values.dtype.kind not in "fiu":
        raise ValueError(f"{path}: no array of real numbers under the key '{key}'; {AGAIN}")
    return values.astype(np.float64)


def prepare_splits(settings: Settings, folder: Path, regions: Path, seed: int) -> artifacts.Arrays:
    """The prepared arrays, from the raw .mat files in `folder`."""
    table = artifacts.read_csv(regions)
    if settings.regions == "cortical80":
        table = table[table["cortical80"] == 1]
    kept = table.index.to_numpy()
    inside = artifacts.require(folder, "stages.tasks.recordings.fetch").iterdir()
    subjects = sorted(path.name for path in inside if path.is_dir())
    validation = sorted(set(settings.validation_subjects))
    signals.check_validation(validation, subjects)
    runs = {name: signals.z_score(read_matrix(folder / name / "tc.mat", "tc")[kept]) for name in subjects}
    splits = signals.split_runs(runs, validation)
    structural = [read_matrix(folder / name / "sc.mat", "sc")[np.ix_(kept, kept)] for name in splits["train"]]
    arrays: artifacts.Arrays = {
        "coordinates": table[["x_mm", "y_mm", "z_mm"]].to_numpy(np.float64),
        "labels": table["label"].to_numpy(str),
        "yeo7": table["yeo7"].fillna("").to_numpy(str),  # "" in no network
        "hemisphere": table["hemisphere"].fillna("").to_numpy(str),
        "structural": signals.average_structural(structural),
        "functional": signals.average_functional(splits["train"].values()),
        "train_subjects": np.array(list(splits["train"])),
        "validation_subjects": np.array(validation),
    }
    for split, parts in splits.items():
        frames = np.concatenate(list(parts.values()))
        masks_stream = generator(seed, "recordings", split, "masks")
        arrays[f"{split}_frames"] = frames.astype(np.float32)
        arrays[f"{split}_masks"] = draw_masks(len(frames), len(kept), settings.mask_fraction, masks_stream)
        lengths = [len(part) for part in parts.values()]
        arrays[f"{split}_subject"] = np.repeat([subjects.index(subject) for subject in parts], lengths)
    return arrays


def write(folder: Path, arrays: artifacts.Arrays) -> None:
    """The folder of prepared arrays: those in MAPPED apart, the others in frames.npz."""
    with artifacts.write_atomically(folder) as beside:
        beside.mkdir()
        for name in MAPPED:
            np.save(beside / f"{name}.npy", arrays[name], allow_pickle=False)  # to be memory-mapped
        others = {name: array for name, array in arrays.items() if name not in MAPPED}
        artifacts.write_arrays(beside / "frames.npz", others)


def main(root: Path = Path()) -> None:
    parameters = params.load(root / params.FILE)
    settings = parameters.section("recordings", Settings)
    arrays = prepare_splits(settings, root / RAW, root / REGIONS, parameters.seed)
    write(root / PREPARED, arrays)
    sizes = ", ".join(f"{len(arrays[f'{name}_frames'])} {name}" for name in ("train", "test", "validation"))
    print(f"{PREPARED}: {sizes} frames; the HCP Open Access Data Use Terms hold for them")


if __name__ == "__main__":
    run(main)

"""An atlas of two regions and series on its grid, in miniature."""

from pathlib import Path
from typing import Any

import made_recordings as made
import numpy as np
import pandas as pd

from stages.tasks.recordings.readers import nifti
from stages.tasks.recordings.readers.interface import Reader

SHAPE, FRAMES = (6, 5, 4), 40
REGIONS = pd.DataFrame({"label": ["left", "right"], "x": [0, 1], "y": [0, 0], "z": [0, 0], "index": [300, 7]})
BOLD = "sub-01_task-rest_space-MNI152NLin2009cAsym_desc-preproc_bold.nii.gz"


def write_atlas(folder: Path) -> Path:
    numbers = np.zeros(SHAPE, np.int16)
    numbers[1:3, 1:4, 1], numbers[3:5, 1:4, 1] = 300, 7  # off the edge, where resampling loses voxels
    return made.write_nifti(folder / "atlas.nii.gz", numbers)


def series(seed: int = 0) -> Any:
    return 1e4 + np.random.default_rng(seed).normal(size=(*SHAPE, FRAMES)).astype(np.float32)


def open_reader(folder: Path, *confounds: str) -> Reader:
    return nifti.open_reader(write_atlas(folder), REGIONS, confounds)

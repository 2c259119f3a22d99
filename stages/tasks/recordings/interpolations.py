"""Say which frames of a run were interpolated from others, as those with motion are in some pipelines."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from stages.tasks.recordings.readers.interface import Frames

FEWEST_REGIONS = 10  # of fewer, frames may be on a line by chance
NEARLY_ALL = 0.9  # of the regions
SMOOTH = 0.05  # of a usual difference; in runs of fMRI 0.3 or more in the median region
ORDERS = {"straight line": 2, "cubic": 4}  # differences that are 0 on it


def say_interpolated(frames: Frames, path: Path) -> None:
    """Print how many of the frames [T, n] are on a straight line or a cubic through their neighbours."""
    if frames.shape[1] < FEWEST_REGIONS:
        return
    for curve, order in ORDERS.items():
        smooth = find_smooth(frames.astype(np.float64), order)
        if smooth.any():
            first = int(smooth.argmax()) + order // 2
            print(
                f"{path}: {smooth.sum()} of {len(frames)} frames are on a {curve} through their neighbours "
                f"in nearly all regions (the first is frame {first} of those kept, counted from 0), as "
                "interpolated frames are; they are used like others; to leave them out, cut them out of the "
                "file"
            )
            return


def find_smooth(frames: Frames, order: int) -> NDArray[np.bool_]:
    """Find where differences of an order are next to 0 in nearly all regions [T - order], but not held."""
    sizes = np.abs(np.diff(frames, order, axis=0))
    usual = np.median(sizes, axis=0)
    held = (np.diff(frames, axis=0) == 0).all(axis=1)
    moving = ~np.lib.stride_tricks.sliding_window_view(held, order).any(axis=1)
    if not (varying := usual > 0).any():
        return np.zeros(len(sizes), np.bool_)
    rough = np.quantile(sizes[:, varying] / usual[varying], NEARLY_ALL, axis=1)
    return np.asarray(moving & (rough < SMOOTH))

"""Define what a reader of one format gives: the regions, and the frames of a file."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Frames = NDArray[np.floating[Any]]
Matrix = NDArray[np.float64]


class Run(NamedTuple):
    """The content of a file: frames [T, n], their regions' labels and seconds between them if it says so.

    regressors: how many independent time courses were removed from the frames.
    dropped: how many of the file's first frames are left out already.
    """

    frames: Frames
    labels: list[str] | None = None
    frame_seconds: float | None = None
    regressors: int = 0
    dropped: int = 0


@dataclass(frozen=True)
class Reader:
    """The reader of one source's files; `regions` as regions.py describes them.

    read_structural: None where weights are plain arrays.
    """

    regions: pd.DataFrame
    read_run: Callable[[Path], Run]
    read_structural: Callable[[Path], Matrix] | None = None

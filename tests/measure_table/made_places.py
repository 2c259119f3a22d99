"""A .csv of places."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray


def write_places(folder: Path, first: str, places: NDArray[np.number]) -> None:
    rows = [",".join(map(str, row)) for row in places.tolist()]
    (folder / "a.csv").write_text("\n".join([*([first] if first else []), *rows]), encoding="utf-8")

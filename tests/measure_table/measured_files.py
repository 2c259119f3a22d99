"""Tensors written to a file, and what is measured of them."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from stages.files import artifacts
from stages.measure_table.measure_file import measure_file
from stages.measure_table.tables import Asked

Arrays = dict[str, Any]


def measured(folder: Path, arrays: Arrays, asked: Asked, tensor: str | None = None) -> pd.DataFrame:
    artifacts.write_weights(
        folder / "model.safetensors",
        {name: np.ascontiguousarray(array, np.float32) for name, array in arrays.items()},
    )
    measure_file(folder / "model.safetensors", tensor, asked, folder / "out")
    assert (folder / "out/page.html").stat().st_size and (folder / "out/figure.png").stat().st_size
    return pd.read_csv(folder / "out/measures.csv", dtype={"head": str})

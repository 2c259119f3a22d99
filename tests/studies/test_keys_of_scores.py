from pathlib import Path

import numpy as np
from changed_params import Changes, change_settings
from small_studies import cell_of

from stages.cells.key_files import Key, write_key
from stages.files.artifacts import write_arrays
from stages.files.sums import SUMS
from stages.score import key_of_baselines, key_of_scores
from stages.studies.cells import Baselines


def test_scores_have_the_cell_s_key_what_is_asked_and_what_scoring_reads(tmp_path: Path) -> None:
    cell = cell_of("recordings", {})
    write_key(tmp_path, {"a": 1})
    (tmp_path / SUMS).write_text("0  weights.safetensors\n")

    def key_at(changes: Changes, *asked: str) -> Key:
        return key_of_scores(tmp_path, cell_of("recordings", changes), asked, tmp_path, None)

    before = key_of_scores(tmp_path, cell, [], tmp_path, None)
    assert key_at({"recordings.source": "arrays", "scales.smoke.usual.training.epochs": 9}) == before
    assert key_at({"recordings.ridge": 9.0}) != before != key_at({}, "read_out")
    assert key_of_scores(tmp_path, cell, [], tmp_path, (tmp_path, cell)) != before
    write_key(tmp_path, {"a": 2})
    assert key_at({}) != before


def test_baselines_have_the_data_and_what_scoring_reads(tmp_path: Path) -> None:
    write_arrays(tmp_path / "data/frames.npz", {"a": np.zeros(2)})

    def key_at(changes: Changes) -> Key:
        one = Baselines("recordings", Path("data"), change_settings(changes), ("",), {})
        return key_of_baselines(one, tmp_path)

    before = key_at({})
    assert key_at({"recordings.source": "arrays"}) == before != key_at({"recordings.ridge": 9.0})
    write_arrays(tmp_path / "data/frames.npz", {"a": np.ones(2)})
    assert key_at({}) != before

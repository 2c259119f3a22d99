from pathlib import Path

from changed_params import Changes, change_settings

from stages.cells.data import key_of_data
from stages.cells.key_files import Key


def test_data_of_a_study_s_own_have_the_files_that_they_are_made_from(tmp_path: Path) -> None:
    def key_at(changes: Changes) -> Key:
        return key_of_data("network", change_settings(changes), tmp_path)

    before = key_at({})
    assert key_at({"recordings.ridge": 9.0, "device": "cpu"}) == before
    for changes in ({"seed": 1}, {"network.noise": 0.3}, {"scales.smoke.network.data.trajectories": 9}):
        assert key_at(changes) != before
    (tmp_path / "own").mkdir()
    (tmp_path / "own/graph.csv").write_text("0,1\n1,0\n")
    assert key_at({}) != before

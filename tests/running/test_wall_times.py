import json
from pathlib import Path

from changed_params import write_params

from stages.running.wall_times import expect_wall_times, note_wall_time, read_wall_times


def test_the_last_run_counts_before_the_published_one(tmp_path: Path) -> None:
    assert read_wall_times(tmp_path) == expect_wall_times(tmp_path) == {}
    (tmp_path / "data").mkdir()
    (tmp_path / "reports").mkdir()
    write_params(tmp_path, {"scale": "small"})
    published = {"scale": "small", "wall_s": {"draw": 9.0, "train": 8.0, "never": None}}
    (tmp_path / "reports/provenance.json").write_text(json.dumps(published))
    for wall_s in (3.0, 2.25):
        note_wall_time(tmp_path, "train", wall_s)
    assert read_wall_times(tmp_path) == {"train": 2.25}
    assert expect_wall_times(tmp_path) == {"draw": 9.0, "train": 2.25}
    write_params(tmp_path, {"scale": "smoke"})
    assert expect_wall_times(tmp_path) == {"train": 2.25}


def test_what_is_damaged_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "reports").mkdir()
    write_params(tmp_path, {"scale": "small"})
    (tmp_path / "reports/provenance.json").write_text("<<<<<<< HEAD\n{}")
    note_wall_time(tmp_path, "python -m stages.train, twice", 3.0)
    with (tmp_path / "data/wall_times.csv").open("a") as file:
        file.write("\npython -m stages.tra")  # a full disk
    note_wall_time(tmp_path, "draw", 2.0)
    assert expect_wall_times(tmp_path) == {"python -m stages.train, twice": 3.0, "draw": 2.0}

import platform
import subprocess
from pathlib import Path

import pandas as pd

from stages.cells.made_by import COLUMNS, describe_run, read_made_by, write_made_by
from stages.files.artifacts import write_json

MACHINE = {"device": "cpu", "instructions": "avx512 avx512_bf16", "precision": "bf16"}


def test_a_run_is_described_by_what_it_ran_on(tmp_path: Path) -> None:
    said = describe_run(tmp_path, MACHINE, 12.34)
    assert [*said] == COLUMNS[2:] and said["processor"] and said["python"] == platform.python_version()
    assert (said["commit"], said["precision"], said["seconds"]) == ("", "bf16", 12.3)
    project = Path(__file__).parents[2]
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=project, capture_output=True, text=True).stdout
    assert commit.startswith(describe_run(project, {}, 0.0)["commit"].rstrip("+"))


def test_rows_are_the_store_s_else_those_of_the_same_key(tmp_path: Path) -> None:
    path, stored = tmp_path / "made_by.csv", {name: tmp_path / f"{name}.json" for name in "ab"}
    assert read_made_by(path) == {}
    machines = {"a": {}, "b": MACHINE}
    runs = {name: describe_run(tmp_path, machine, 1.0) for name, machine in machines.items()}
    for name, run in runs.items():
        write_json(stored[name], run | {"commit": "007"})
    write_made_by(path, {"a": "key of a", "b": "key of b"}, stored)
    before = path.read_bytes()
    stored["a"].unlink()  # pruned, or pulled
    write_made_by(path, {"a": "key of a", "b": "key of b"}, stored)
    assert path.read_bytes() == before
    write_made_by(path, {"a": "another", "b": "key of b"}, stored)
    table = pd.read_csv(path, dtype=str)
    assert list(table.columns) == COLUMNS and table.key.tolist() == ["another", "key of b"]
    assert table.commit.isna().tolist() == [True, False] and table.commit[1] == "007"

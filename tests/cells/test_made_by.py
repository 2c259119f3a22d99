import platform
from pathlib import Path

import pandas as pd
import pytest

from stages.cells.made_by import COLUMNS, describe_run, read_made_by, write_made_by
from stages.core.settings.errors import InputError
from stages.files.artifacts import write_json

MACHINE = {"device": "cpu", "instructions": "avx512 avx512_bf16", "precision": "bf16"}


def test_a_run_is_described_by_what_it_ran_on() -> None:
    said = describe_run("0123", MACHINE, 12.34)
    assert [*said] == COLUMNS[2:] and said["processor"] and said["python"] == platform.python_version()
    assert (said["commit"], said["precision"], said["seconds"]) == ("0123", "bf16", 12.3)


def test_rows_are_the_store_s_else_those_of_the_same_key(tmp_path: Path) -> None:
    path, stored = tmp_path / "made_by.csv", {name: tmp_path / f"{name}.json" for name in "ab"}
    assert read_made_by(path) == {}
    machines = {"a": {}, "b": MACHINE}
    runs = {name: describe_run("007", machine, 1.0) for name, machine in machines.items()}
    for name, run in runs.items():
        write_json(stored[name], run)
    write_made_by(path, {"a": "key of a", "b": "key of b"}, stored)
    before = path.read_bytes()
    stored["a"].unlink()  # pruned, or pulled
    write_made_by(path, {"a": "key of a", "b": "key of b"}, stored)
    assert path.read_bytes() == before
    stored["b"].write_bytes(b"{")
    write_made_by(path, {"a": "key of a", "b": "key of b"}, stored)
    assert path.read_bytes() == before
    write_made_by(path, {"a": "another", "b": "key of b"}, stored)
    table = pd.read_csv(path, dtype=str)
    assert list(table.columns) == COLUMNS and table.key.tolist() == ["another", "key of b"]
    assert table.commit.isna().tolist() == [True, False] and table.commit[1] == "007"


@pytest.mark.parametrize("marks", ["<<<<<<< HEAD\n", "cell,key\na,b\n"])
def test_a_table_that_is_none_is_a_mistake(marks: str, tmp_path: Path) -> None:
    """Git leaves such marks in a conflict."""
    path = tmp_path / "made_by.csv"
    write_made_by(path, {"a": "key"}, {"a": tmp_path / "none"})
    path.write_text(marks + path.read_text())
    with pytest.raises(InputError, match=r"made_by.csv: .*; (delete or correct it|make or export it again)$"):
        read_made_by(path)

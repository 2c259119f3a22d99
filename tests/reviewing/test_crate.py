"""Crates of a run and of a replay, held against their profiles by roc-validator."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import servers
from published_project import Published

from stages.reviewing import replays, unpack
from stages.reviewing.archive import write_archive
from stages.reviewing.crate import METADATA

SCRIPT = Path(__file__).with_name("validate_crate.py")
HERE = {"machine": {"cpu": "A"}, "threads": {"cpu_capability": "AVX2"}}


def validate(folder: Path, profile: str) -> list[str]:
    """Required checks that fail, by the validator of the environment `.venv/rocrate`, or of the path."""
    beside = Path(sys.prefix) / "rocrate/bin/rocrate-validator"
    program = (
        beside if beside.is_file() else Path(servers.program(beside.name, "PyPI: roc-validator, rocrate"))
    )
    command = [str(program.with_name("python")), str(SCRIPT), str(folder), "REQUIRED", profile]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def crate(published: Published, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("crate")
    write_archive(published.project, folder / "a.zip")
    unpack.extract(folder / "a.zip", folder / "crate")
    return folder / "crate"


def test_an_archive_is_a_provenance_run_crate(crate: Path) -> None:
    assert not validate(crate, "provenance-run-crate")


def test_what_the_crate_says_of_a_stage(crate: Path) -> None:
    graph = {entity["@id"]: entity for entity in json.loads((crate / METADATA).read_text())["@graph"]}
    run = graph["#run/evaluate"]
    assert run["object"] == [{"@id": "#data/models/grid/focus"}]
    assert run["result"] == [{"@id": "#reports/figures"}, {"@id": "reports/runs.csv"}]
    (weights,) = [
        entity for entity in graph.values() if "data/numbers.bin" in entity.get("alternateName", [])
    ]
    assert weights["contentSize"] == "2000" and weights["@id"].startswith("files/md5/")
    assert {"@id": weights["@id"]} in graph["#run/train@grid"]["object"]
    assert "#run/stages/transplants/dvc.yaml:vary" not in graph  # which did not run


def test_a_crate_without_a_file_or_a_tool_is_none(crate: Path) -> None:
    whole = (crate / METADATA).read_text()
    (crate / METADATA).write_text(whole.replace('"@type": "OrganizeAction",', '"@type": "ControlAction",'))
    assert validate(crate, "provenance-run-crate")
    (crate / METADATA).write_text(whole)


def test_a_replay_is_a_process_run_crate(tmp_path: Path) -> None:
    replays.write_last(tmp_path, [{"path": "a", "outcome": "identical", "artifact": None}], HERE)
    folder = tmp_path / replays.LAST
    assert not validate(folder, "process-run-crate")
    assert json.loads((folder / METADATA).read_text())["@graph"][1]["name"] == "Replayed: 1 identical"

"""What the record of origin holds, against what stands in the project."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import torch
import yaml

from stages.reviewing import provenance

ROOT = Path(__file__).parents[2]


def project(folder: Path) -> Path:
    for name in ("params.yaml", "pyproject.toml", "dvc.lock"):
        shutil.copy(ROOT / name, folder)
    return folder


def test_the_record(tmp_path: Path) -> None:
    found = provenance.collect(project(tmp_path))
    json.dumps(found, allow_nan=False)
    assert found["commit"] is None  # no git there
    assert found["params"]["seed"] == found["seed"]
    assert found["versions"]["torch"] == torch.__version__
    assert None not in found["versions"].values()
    assert found["threads"]["torch"] == found["params"]["compute"]["threads"]
    assert found["determinism"]["deterministic_algorithms"]
    stage = found["stages"]["generate_grid"]
    assert f"md5: {stage['outs']['data/grid/puzzles.npz']}\n" in (ROOT / "dvc.lock").read_text()
    assert stage["wall_s"] is None


def test_other_values_than_the_file_s(tmp_path: Path) -> None:
    values = yaml.safe_load((ROOT / "params.yaml").read_text())
    values["compute"]["threads"] = 2
    found = provenance.collect(project(tmp_path), values)
    assert found["threads"]["torch"] == 2 and found["params"] == values


def test_a_command_that_fails_says_nothing() -> None:
    assert provenance.said("sh", "-c", "echo 1") == "1"
    assert (
        provenance.said("sh", "-c", "echo no such device; exit 9") == provenance.said("no-such-command") == ""
    )


def test_the_same_libraries_whatever_was_imported_before() -> None:
    code = (
        "from stages.reviewing.provenance import threads; few = threads(1)\n"
        "import scipy.linalg, scipy.stats, pandas, stages.replay\nassert threads(1) == few, threads(1)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_the_last_wall_time_counts(tmp_path: Path) -> None:
    times = project(tmp_path) / provenance.WALL_TIMES
    times.parent.mkdir()
    probe = "train --task probe --configuration rope"
    times.write_text(f"command,wall_s\nrender,3.5\n{probe},1\n{probe},2.25\n")
    stages = provenance.stages(tmp_path)
    assert stages["train_probe@rope"]["wall_s"] == 2.25
    assert stages["render"]["wall_s"] == 3.5


def test_the_commit_is_the_one_described(tmp_path: Path) -> None:
    """Committing the published files does not change what they say."""

    def commit(path: str) -> str | None:
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(path)
        git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "-qm", path], check=True)
        return provenance.commit(tmp_path)

    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    results = commit("results.csv")
    assert results
    assert [commit(path) for path in provenance.PUBLISHED] == [results, results]
    assert commit("other.csv") not in (results, None)

"""What the record of origin holds, against what stands in the project."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from published_project import commit, git

from stages.reviewing import provenance
from stages.running.wall_times import WALL_TIMES

RECORD = {
    "versions": {"torch": "2.11", "numpy": "2.3"},
    "machine": {"flags": "avx2 fma", "cores": 2},
    "threads": {"blas": [{"api": "blas", "num_threads": 1}]},
    "wall_s": {"train": 1.0},
    "gpu": None,
}
ROOT = Path(__file__).parents[2]
RENDER = "python -m stages.render"
TRAIN = "python -m stages.train --task probe --configuration rope"


def project(folder: Path) -> Path:
    for name in ("params.yaml", "pyproject.toml"):
        shutil.copy(ROOT / name, folder)
    for path, command in {"dvc.lock": RENDER, "stages/tasks/probe/dvc.lock": TRAIN}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(f"schema: '2.0'\nstages:\n  s:\n    cmd: {command}\n")
    return folder


def test_the_record(tmp_path: Path) -> None:
    times = project(tmp_path) / WALL_TIMES
    times.parent.mkdir()
    times.write_text(f"command,wall_s\n{RENDER},3.5\n")
    record = provenance.collect(tmp_path)
    json.dumps(record, allow_nan=False)
    assert record["commit"] is None  # no git there
    assert record["params"]["seed"] == record["seed"]
    assert record["versions"]["torch"] == torch.__version__
    assert None not in record["versions"].values()
    assert record["threads"]["torch"] == record["params"]["compute"]["threads"]
    assert record["determinism"]["deterministic_algorithms"]
    assert record["wall_s"] == {RENDER: 3.5, TRAIN: None}


def test_the_same_libraries_whatever_was_imported_before() -> None:
    code = (
        "from stages.reviewing.provenance import list_blas; few = list_blas()\n"
        "import scipy.linalg, scipy.stats, pandas, stages.reviewing.replay\nassert list_blas() == few"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_the_commit_is_the_one_described(tmp_path: Path) -> None:
    """Committing the published files does not change what they say."""

    def commit_file(path: str) -> str | None:
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(path)
        commit(tmp_path)
        return provenance.last_commit(tmp_path)

    git(tmp_path, "init", "-q")
    results = commit_file("results.csv")
    assert results
    assert [commit_file(path) for path in provenance.PUBLISHED] == [results] * len(provenance.PUBLISHED)
    assert commit_file("other.csv") not in (results, None)


@pytest.mark.parametrize(
    ("changes", "differences"),
    [
        ({"wall_s": {}}, []),
        ({"versions": {"torch": "2.12", "numpy": "2.3"}}, [("versions.torch", "2.11", "2.12")]),
        ({"gpu": {"name": "a"}}, [("gpu.name", "\u2013", "a")]),
        ({"machine": {"flags": "avx2 avx512f", "cores": 2}}, [("machine.flags", "fma", "avx512f")]),
        (
            {"threads": {"blas": [{"api": "blas", "num_threads": 4}]}},
            [("threads.blas.0.num_threads", "1", "4")],
        ),
    ],
)
def test_differences_by_their_path(changes: dict[str, Any], differences: list[tuple[str, str, str]]) -> None:
    assert provenance.list_differences(RECORD, RECORD | changes) == differences

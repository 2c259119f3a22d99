"""Jobs as they are handed to a batch system, which need not be here."""

import shlex
from pathlib import Path
from typing import Any

import dask
import pytest
from running_study import ODD_NAME

from stages.cells.cluster import ENDED, OUTPUT, make_cluster, open_cluster, wait_for_worker
from stages.core.settings.errors import InputError


class Scheduler:
    """A scheduler that a worker reaches after some looks."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def nthreads(self) -> dict[str, int]:
        self.looks -= 1
        return {"worker": 1} if self.looks < 0 else {}


def test_a_job_that_ended_before_it_worked_is_told_with_its_last_words(tmp_path: Path) -> None:
    client: Any = Scheduler(1)
    (tmp_path / "1.out").write_text(f"starting\n/nowhere/python: not found\n{ENDED} 127\n", encoding="utf-8")
    with pytest.raises(InputError, match=f"slurm job 1 ended .*: starting /nowhere/.* {ENDED} 127 "):
        wait_for_worker(client, "slurm job 1", tmp_path, [])
    late: Any = Scheduler(1)
    wait_for_worker(late, "slurm job 2", tmp_path, [tmp_path / "1.out"])


def test_a_job_works_in_the_project_whatever_its_name_and_does_what_the_site_asks_for_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / OUTPUT).mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    project = tmp_path / ODD_NAME
    asked = {"cores": 2, "memory": "1GB", "job-script-prologue": ["module load python"]}
    asked |= {"worker-extra-args": ["--lifetime", "1h"]}
    site = {f"jobqueue.slurm.{key}": value for key, value in asked.items()}
    with dask.config.set(site), make_cluster("slurm", project) as cluster:
        lines = cluster.job_script().splitlines()
        assert cluster.new_spec["group"] == ["-0", "-1"]  # of workers in a job
    place = lines.index(f"cd {shlex.quote(str(project))}")
    assert place < lines.index("module load python") < len(lines) - 1
    assert "--lifetime 1h --nthreads 1" in lines[-1] and "tls://" in lines[-1]


@pytest.mark.parametrize(
    ("site", "said"),
    [
        (
            {},
            "cores and memory of a slurm job not given in .*, expected such as `jobqueue: {slurm: {cores: 4",
        ),
        ({"cores": 2}, "memory of a slurm job not given"),
        ({"cores": 2, "memory": "1GB", "interfaces": "lo"}, "interfaces .* is not known; expected interface"),
        (
            {"cores": 2, "memory": "1GB", "interface": "ib7"},
            "'ib7' is not a valid network interface.*correct ~",
        ),
        (
            {"cores": 2, "memory": "much"},
            "slurm: Could not interpret 'much' as a byte unit; correct ~/.config",
        ),
        ({"cores": "two", "memory": "1GB"}, "correct ~/.config/dask/jobqueue.yaml"),
    ],
)
def test_a_site_that_is_not_described_is_one_line_with_the_cure(
    site: dict[str, object], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    given = {f"jobqueue.slurm.{key}": value for key, value in site.items()}
    with dask.config.set(given), pytest.raises(InputError, match=said), open_cluster("slurm", 1, tmp_path):
        pass

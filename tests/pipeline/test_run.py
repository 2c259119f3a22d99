"""What a run makes of the end of a stage."""

import subprocess
from concurrent.futures import Future
from pathlib import Path

import pytest
from toy_project import make_toy_project

from stages.pipeline.plan import make_plan
from stages.pipeline.run import StageRun, take_outcome
from stages.pipeline.worker import StageOutcome, Workers
from stages.pipeline.working_copy import copy_checkout
from stages.running.repository import open_repo


def ended(error: Exception) -> Future[StageOutcome]:
    future: Future[StageOutcome] = Future()
    future.set_exception(error)
    return future


def test_a_worker_lost_without_a_word_is_a_failure() -> None:
    assert take_outcome(ended(TimeoutError())).failure == "TimeoutError"
    assert take_outcome(ended(OSError("the node\n  is gone"))).failure == "the node is gone"


def test_a_stage_s_own_outcome_is_passed_on() -> None:
    future: Future[StageOutcome] = Future()
    future.set_result(StageOutcome(1.5, "Grid: 0 given"))
    assert take_outcome(future) == (1.5, "Grid: 0 given")


@pytest.mark.parametrize(
    ("epochs", "succeeds"),
    [([30, 60, 90], True), ([30, 30, 90], False), ([None, 60], False)],
)
def test_a_stage_whose_jobs_end_goes_on_as_long_as_it_comes_farther(
    epochs: list[int | None], succeeds: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """epochs: that it tells of before its jobs end; then it would end well."""
    project, jobs = make_toy_project(tmp_path), iter(epochs)

    def submit(name: str, command: str, log: Path, priority: float) -> Future[StageOutcome]:
        future: Future[StageOutcome] = Future()
        try:
            done = next(jobs)
        except StopIteration:
            subprocess.run(command, shell=True, check=True)
            future.set_result(StageOutcome(1.0, ""))
            return future
        with log.open("a", encoding="utf-8") as file:
            file.write(f"toy begin: epoch {done}/100, 3 samples/s, 9 s left\n" if done else "started\n")
        future.set_exception(RuntimeError("three workers died"))
        return future

    with open_repo(project) as checkout:
        plan = make_plan(checkout, ["begin"])
        copy = copy_checkout(checkout, plan)
        monkeypatch.chdir(copy)
        with open_repo(copy) as repo, repo.lock:
            assert StageRun(checkout, repo, plan, Workers(submit, 1)).to_its_end() == succeeds
    assert (project / "data/begin.txt").exists() == succeeds

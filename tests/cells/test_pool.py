import os
import signal
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from stages.cells.pool import Job, run_jobs
from stages.core.settings.errors import InputError


def run(jobs: Mapping[str, Callable[[], Any]], needs: Mapping[str, list[str]]) -> list[str]:
    """Run jobs on two threads; list those that are done, in order."""
    done: list[str] = []
    given: dict[str, Job] = {name: (job, ()) for name, job in jobs.items()}
    with ThreadPoolExecutor(2) as executor:
        try:
            run_jobs(executor, given, needs, lambda name, _: done.append(name), lambda _: None)
        except InputError as error:
            done.append(str(error))
    return done


def test_a_job_starts_when_what_it_needs_is_taken() -> None:
    started: list[str] = []
    jobs = {name: partial(started.append, name) for name in "cab"}
    # `kept` is no job: it is there
    assert run(jobs, {"c": ["b", "kept"], "b": ["a"], "a": []}) == started == ["a", "b", "c"]


def fail(message: str) -> None:
    raise InputError(message)


def test_others_finish_and_what_failed_is_named_with_each_reason_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    jobs: dict[str, Callable[[], Any]] = {name: lambda: None for name in "abcd"}
    jobs |= {"x": lambda: fail("no\n room"), "y": lambda: fail("no room"), "z": lambda: fail("")}
    needs: dict[str, list[str]] = dict.fromkeys(jobs, []) | {"b": ["a"], "d": ["x"]}
    *done, last = run(jobs, needs)
    assert sorted(done) == ["a", "b", "c"]  # d needs what failed
    failed = [*capsys.readouterr().err.splitlines(), f"error: {last}"]
    assert sorted(failed) == ["error: x, y: no room", "error: z: InputError"]


def test_a_mistake_of_the_code_keeps_its_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    jobs = {"a": lambda: 1 // 0, "b": lambda: 1 // 0}
    assert run(jobs, {"a": [], "b": []})[-1].startswith("a, b: integer division")
    assert capsys.readouterr().err.count("Traceback") == 1
    run({"a": lambda: fail("why")}, {"a": []})
    assert capsys.readouterr().err == ""


def test_a_killed_worker_is_one_line() -> None:
    jobs: dict[str, Job] = {"a": (os.kill, (0, 0)), "b": (kill_oneself, ())}
    with (
        ProcessPoolExecutor(1) as executor,
        pytest.raises(InputError, match="^a process was killed, [^\n]*$"),
    ):
        run_jobs(executor, jobs, {"a": [], "b": []}, lambda *_: None, lambda _: None)


def kill_oneself() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_it_looks_at_what_runs() -> None:
    looks: list[list[str]] = []
    with ThreadPoolExecutor(1) as executor:
        jobs: dict[str, Job] = {name: (str, ()) for name in "ab"}
        needs = {"a": [], "b": ["a"]}
        run_jobs(executor, jobs, needs, lambda *_: None, lambda names: looks.append(list(names)))
    assert looks == [[], []]  # after a, before b is started, and after b

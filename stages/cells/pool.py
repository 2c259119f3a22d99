"""Run jobs side by side, each as soon as those that it needs are done."""

import sys
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool
from graphlib import TopologicalSorter
from traceback import format_exception
from typing import Any

from stages.core.settings.errors import InputError

LOOK_S = 2.0  # between two looks at jobs that run
KILLED = "a process was killed, perhaps out of memory; run again, what is finished is kept"
GIVEN_UP = "its jobs were lost three times, out of memory or time; run again to continue from its checkpoint"
DASK_GIVES_UP = "KilledWorker"  # an error of Dask, which need not be installed
Job = tuple[Callable[..., Any], tuple[Any, ...]]  # a function and its arguments


def run_jobs(
    executor: Executor,
    jobs: Mapping[str, Job],
    needs: Mapping[str, Collection[str]],
    on_done: Callable[[str, Any], None],
    on_look: Callable[[Collection[str]], None],
) -> None:
    """Run all jobs. Raises InputError where some failed, after all others are done.

    Of several reasons all but the last are printed before, so that each is a line.

    needs: of a job the names of others that come first. on_done: called with each name and result;
    on_look: now and then, with the names of those that were started and are not done.
    """
    order = TopologicalSorter({name: [one for one in needs[name] if one in jobs] for name in jobs})
    order.prepare()
    running: dict[Future[Any], str] = {}
    failed: dict[str, BaseException] = {}
    while order.is_active():
        for name in order.get_ready():
            function, arguments = jobs[name]
            running[executor.submit(function, *arguments)] = name
        if not running:  # what is left needs what failed
            break
        for future in wait(running, LOOK_S, FIRST_COMPLETED).done:
            name = running.pop(future)
            error = future.exception()
            if isinstance(error, BrokenProcessPool):
                raise InputError(KILLED)
            if error is not None:
                failed[name] = error
                continue
            on_done(name, future.result())
            order.done(name)
        on_look(running.values())
    if failed:
        *others, last = describe_failed(failed)
        print("".join(f"error: {line}\n" for line in others), file=sys.stderr, end="")
        raise InputError(last)


def describe_failed(failed: Mapping[str, BaseException]) -> list[str]:
    """Say why jobs failed, each reason once; prints a traceback where it is no mistake of the user."""
    named: dict[str, list[str]] = {}
    for name, error in failed.items():
        kind = type(error).__name__
        why = GIVEN_UP if kind == DASK_GIVES_UP else " ".join(str(error).split()) or kind
        if why not in {*named, GIVEN_UP} and not isinstance(error, InputError | OSError):
            print("".join(format_exception(error)), file=sys.stderr)
        named.setdefault(why, []).append(name)
    return [f"{', '.join(sorted(names))}: {why}" for why, names in named.items()]

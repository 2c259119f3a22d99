"""One run of a plan: a stage starts as soon as what it needs is there, and is recorded when it has ended."""

import heapq
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from graphlib import TopologicalSorter
from pathlib import Path
from queue import Empty, Queue
from time import monotonic, sleep
from typing import Any

from dvc.exceptions import DvcException
from dvc.lock import LockError
from dvc.repo import Repo
from dvc.stage import PipelineStage

from stages.pipeline.logs import NOTE, Logs, read_progress
from stages.pipeline.plan import Plan, address, expect_seconds, prioritise_stages, rank_stages
from stages.pipeline.progress import CACHED, RunProgress
from stages.pipeline.record import record
from stages.pipeline.restoring import name_missing, restore, save
from stages.pipeline.time_left import TimeLeft
from stages.pipeline.worker import StageOutcome, Workers, run_anew
from stages.running.wall_times import expect_wall_times, note_wall_time

RECORD_S = 120  # seconds between writes to the checkout; dvc takes seconds over its lock files in each
TICK_S = 1
LOGS = Path(".dvc/tmp/logs")  # of stages, in the working copy


class StageRun:
    """The stages of a plan that are out of date, run in a working copy, recorded in the checkout."""

    def __init__(self, checkout: Repo, copy: Repo, plan: Plan, workers: Workers) -> None:
        self.checkout, self.plan, self.workers = checkout, plan, workers
        self.root, self.folder = Path(checkout.root_dir), Path(copy.root_dir)
        self.stages: dict[str, PipelineStage] = {address(stage): stage for stage in copy.index.stages}
        # of all stages in sight: those that are not in the plan tell how long their kind takes
        commands = {name: stage.cmd for name, stage in self.stages.items()}
        expected_s = expect_seconds(commands, expect_wall_times(self.root))
        expected_s = {name: expected_s[name] for name in plan.stale}
        self.priority = prioritise_stages(expected_s, rank_stages(plan, expected_s))
        self.time_left = TimeLeft(plan, commands, expected_s, workers.most)
        self.progress = RunProgress(len(plan.stale), self.time_left.estimate)
        self.logs = Logs(self.folder / LOGS)
        self.notes: set[str] = set()  # those that were shown
        self.done: dict[str, float] = {}  # shares of stages that train, as they told last
        self.lost: dict[str, float] = {}  # the same when a worker was lost with them
        self.order = TopologicalSorter({name: plan.needs[name] & plan.stale for name in plan.stale})
        self.internet = ThreadPoolExecutor(1)
        self.waiting: list[tuple[float, str]] = []  # a heap, by priority
        self.running: set[str] = set()
        self.ended: Queue[tuple[str, Any]] = Queue()  # a stage, and the future of its outcome
        self.unrecorded: list[PipelineStage] = []
        self.recorded_at = monotonic()
        self.failures: dict[str, str] = {}

    def to_its_end(self) -> bool:
        """Run all that can be run; whether all of it succeeded."""
        needed = {need for name in self.plan.stale for need in self.plan.needs[name]}
        for name in needed - self.plan.stale:
            self.stages[name].checkout()
        self.order.prepare()
        try:
            self.start_ready()
            while self.running:
                self.take_ended()
                if monotonic() - self.recorded_at > RECORD_S:
                    self.record()
        finally:
            self.record()
            while self.unrecorded:
                self.progress.say("waiting for another dvc to leave this checkout")
                sleep(5)
                self.record()
            self.progress.close(len(self.plan.stages) - len(self.plan.stale), self.failures)
        return not self.failures

    def start_ready(self) -> None:
        """Start what is ready, as far as there are workers; a stage whose results dvc has needs none."""
        while names := self.order.get_ready():
            for name in sorted(names, key=self.priority.__getitem__, reverse=True):
                try:
                    restored = self.restore(name)
                except (DvcException, OSError) as error:  # as where an input is missing
                    self.fail(name, name_missing(self.stages[name]) or say_error(error))
                    continue
                if restored:
                    self.finish(name, CACHED, "")
                else:
                    heapq.heappush(self.waiting, (-self.priority[name], name))
                    self.submit()

    def restore(self, name: str) -> bool:
        """Whether a stage need not run; its results lie in their place then, else nothing does."""
        stage = self.stages[name]
        if name in self.plan.forced:
            stage.remove_outs(ignore_remove=False)
            stage.save_deps()
            return False
        return restore(stage, [self.stages[need] for need in self.plan.needs[name]])

    def submit(self) -> None:
        """Give every worker a stage, and queue one extra, so that no worker idles."""
        while self.waiting and len(self.running) <= self.workers.most:
            _, name = heapq.heappop(self.waiting)
            self.running.add(name)
            self.start(name)

    def start(self, name: str) -> None:
        """Hand a stage to a worker; one that needs the internet (`meta` in dvc.yaml) runs on this machine."""
        command, log = self.stages[name].cmd, self.logs.path(name)
        if (self.stages[name].meta or {}).get("needs") == "internet":
            future: Any = self.internet.submit(run_anew, self.folder, command, log)
        else:
            future = self.workers.submit(name, command, log, self.priority[name])
        future.add_done_callback(partial(lambda name, future: self.ended.put((name, future)), name))

    def take_ended(self) -> None:
        """Wait a moment for a stage to end."""
        try:
            name, future = self.ended.get(timeout=TICK_S)
        except Empty:
            for running in self.running:
                self.listen(running)
            self.progress.tick(self.running)
            return
        if future.exception() is not None and self.has_gone_on(name):
            self.start(name)  # its jobs ended, as at a time limit; it goes on from its checkpoint
            return
        self.running.remove(name)
        self.submit()  # first, so that no worker waits for dvc's work below
        self.end(name, take_outcome(future))
        self.start_ready()

    def listen(self, name: str) -> None:
        """Show what a stage notes, each text once in a run, and take in how far it is."""
        if self.logs.is_there(name):
            self.time_left.start(name)
        for line in self.logs.new_lines(name):
            if told := read_progress(line):
                self.time_left.tell(name, *told)
                self.done[name] = told[2]
            elif line.startswith(NOTE) and line not in self.notes:
                self.notes.add(line)
                self.progress.say(line)

    def has_gone_on(self, name: str) -> bool:
        """Whether a stage that was lost has come farther than when it was lost before."""
        self.listen(name)
        before, self.lost[name] = self.lost.get(name, 0.0), self.done.get(name, 0.0)
        return self.lost[name] > before

    def end(self, name: str, outcome: StageOutcome) -> None:
        """Save what a stage made, or note its failure."""
        self.listen(name)
        wall_s, failure = outcome
        try:
            if not failure:
                save(self.stages[name])
        except (DvcException, OSError) as error:
            failure = say_error(error)
        if failure:
            self.fail(name, failure)
        else:
            note_wall_time(self.root, self.stages[name].cmd, wall_s)
            self.time_left.measure(name, wall_s)
            self.finish(name, "ran", f"took {wall_s:.1f} s")

    def fail(self, name: str, why: str) -> None:
        self.failures[name] = why
        self.time_left.end(name)
        self.progress.end(name, "failed", f"failed: {why}")

    def finish(self, name: str, how: str, line: str) -> None:
        self.unrecorded.append(self.stages[name])
        self.order.done(name)
        self.time_left.end(name)
        self.progress.end(name, how, line)

    def record(self) -> None:
        """Record what has finished; while another dvc works in the checkout, the next time."""
        with suppress(LockError):
            record(self.checkout, self.unrecorded)
            self.unrecorded.clear()
        self.recorded_at = monotonic()


def take_outcome(future: Any) -> StageOutcome:
    """The outcome of a stage that has ended; a worker that was lost with it is a failure."""
    try:
        outcome: StageOutcome = future.result()
        if hasattr(future, "release"):  # Dask runs it again where a worker that keeps its result is lost
            future.release()
        return outcome
    except Exception as error:  # of Dask, where a worker is lost
        return StageOutcome(0, say_error(error))


def say_error(error: Exception) -> str:
    """What an error says, in one line; its kind where it says nothing."""
    return " ".join(str(error).split()) or type(error).__name__

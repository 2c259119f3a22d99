"""Keep as many jobs of a batch system as there is work for, also after some were lost."""

from collections.abc import Mapping, Sequence
from math import ceil
from time import monotonic
from typing import Any

from distributed import SpecCluster
from distributed.deploy.adaptive import Adaptive

GONE_S = 30  # after which workers that left do not come back, as a killed process of a job does
IDLE_S = 60  # after which a job whose workers have no work is stopped, if fewer jobs are wanted
Jobs = Mapping[str, Sequence[str]]  # names of the workers of each


class Scaling(Adaptive):
    """Ask for whole jobs.

    Dask itself counts lost ones for ever, and stops a job because one of its workers is idle.
    """

    cluster: SpecCluster

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.seen_at: dict[str, float] = {}  # when each worker was there last
        self.busy_at: dict[str, float] = {}  # and when it had work, or came
        super().__init__(*arguments, **options)

    async def recommendations(self, target: int) -> dict[str, Any]:
        """Say which jobs to stop, else for how many workers to start some."""
        jobs = {job: name_workers(job, known) for job, known in self.cluster.worker_spec.items()}
        self.note_workers(jobs, monotonic())
        workers = len(name_workers("", self.cluster.new_spec))  # of a job
        wanted = ceil(target / workers)
        if stopped := find_stopped(jobs, wanted, self.seen_at, self.busy_at, monotonic()):
            return {"status": "down", "workers": stopped}
        return {"status": "up", "n": wanted * workers} if wanted > len(jobs) else {"status": "same"}

    def note_workers(self, jobs: Jobs, now: float) -> None:
        """Note which workers are there and have work; forget those of former jobs, whose names come again."""
        known = {name for names in jobs.values() for name in names}
        assert self.cluster.scheduler is not None
        there = {one.name: bool(one.processing) for one in self.cluster.scheduler.workers.values()}
        for times in (self.seen_at, self.busy_at):
            for name in times.keys() - known:
                del times[name]
        for name in known & there.keys():
            self.seen_at[name] = now
            if there[name] or name not in self.busy_at:
                self.busy_at[name] = now


def find_stopped(
    jobs: Jobs, wanted: int, seen_at: Mapping[str, float], busy_at: Mapping[str, float], now: float
) -> list[str]:
    """Find jobs whose workers all left, and idle ones as far as there are more jobs than wanted."""
    lost = find_past(jobs, seen_at, now - GONE_S)
    idle = [job for job in find_past(jobs, busy_at, now - IDLE_S) if job not in lost]
    return lost + idle[: max(len(jobs) - len(lost) - wanted, 0)]


def find_past(jobs: Jobs, times: Mapping[str, float], earliest: float) -> list[str]:
    """Find jobs of which some workers have a time, but none a later one."""
    known = {job: [times[name] for name in names if name in times] for job, names in jobs.items()}
    return [job for job, found in known.items() if found and max(found) < earliest]


def name_workers(job: str, known: Mapping[str, Any]) -> list[str]:
    """Name the workers of a job as Dask does, by what it knows of the job."""
    return [f"{job}{ending}" for ending in known.get("group", [""])]

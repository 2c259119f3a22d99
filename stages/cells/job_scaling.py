"""As many jobs of a batch system as there is work for, also after some of them were lost."""

from collections.abc import Mapping
from time import monotonic
from typing import Any

from distributed import SpecCluster
from distributed.deploy.adaptive import Adaptive

GONE_S = 30  # after which workers that left do not come back, as a killed process of a job does
Jobs = Mapping[str, Mapping[str, Any]]  # what Dask knows of each


class Scaling(Adaptive):
    """Scale as Dask does, but count no job whose workers came and left for good.

    Dask itself counts a lost job for ever and starts no other one in its place.
    """

    cluster: SpecCluster

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.seen_at: dict[str, float] = {}  # when each worker was there last
        super().__init__(*arguments, **options)

    async def recommendations(self, target: int) -> dict[str, Any]:
        """Forget and cancel jobs that were lost; then say how many workers to start or to stop."""
        self.seen_at |= dict.fromkeys(self.observed, monotonic())
        for job in find_lost(self.cluster.worker_spec, self.seen_at, monotonic()):
            for worker in name_workers(job, self.cluster.worker_spec.pop(job)):
                self.seen_at.pop(worker, None)  # the next job has the same name
            if lost := self.cluster.workers.pop(job, None):
                await lost.close()
        return await super().recommendations(target)


def find_lost(jobs: Jobs, seen_at: Mapping[str, float], now: float) -> list[str]:
    """Find jobs whose workers all left."""
    seen = {job: [seen_at[name] for name in name_workers(job, jobs[job]) if name in seen_at] for job in jobs}
    return [job for job, times in seen.items() if times and now - max(times) > GONE_S]


def name_workers(job: str, known: Mapping[str, Any]) -> list[str]:
    return [f"{job}{ending}" for ending in known.get("group", [""])]

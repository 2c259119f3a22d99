"""Estimate how much longer a run will take, from its speed so far."""

from collections.abc import Collection, Mapping
from statistics import mean
from time import monotonic

ENOUGH = 1 / 3  # of the jobs left to do, of kinds that were measured


class TimeLeft:
    """Estimate it for jobs on so many workers. kinds: of each job; those of a kind take about as long."""

    def __init__(self, kinds: Mapping[str, str], workers: int) -> None:
        self.kinds, self.workers = kinds, workers
        self.started: dict[str, float] = {}
        self.took_s: dict[str, list[float]] = {}  # by kind

    def note_running(self, names: Collection[str]) -> None:
        for name in names:
            self.started.setdefault(name, monotonic())

    def note_done(self, name: str) -> None:
        if name in self.started:  # else it was done before it said how far it is
            self.took_s.setdefault(self.kinds[name], []).append(monotonic() - self.started[name])

    def estimate_s(self, waiting: Collection[str], left_s: Mapping[str, float]) -> float | None:
        """Estimate the seconds left; None until enough was measured.

        left_s: of each running job, as it says itself.
        """
        whole_s = {kind: mean(values) for kind, values in self.took_s.items()}
        for name, left in left_s.items():
            whole_s.setdefault(self.kinds[name], left + monotonic() - self.started[name])
        jobs = [*waiting, *left_s]
        if sum(self.kinds[name] in whole_s for name in jobs) < ENOUGH * len(jobs):
            return None
        usual_s = mean(whole_s.values()) if whole_s else 0.0
        ahead_s = {name: whole_s.get(self.kinds[name], usual_s) for name in waiting} | dict(left_s)
        return max(sum(ahead_s.values()) / self.workers, max(ahead_s.values(), default=0.0))

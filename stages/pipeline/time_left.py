"""How long a run will take yet, by how fast it is so far.

What stages took before, on another machine perhaps, says only how much work each is beside the others.
"""

from collections.abc import Mapping
from time import monotonic

from stages.pipeline.plan import Plan, kind_of, module_of, rank_stages

ALL = ""  # the group of all stages
LEAST_S = 0.01
ENOUGH = 1 / 3  # of the work


class TimeLeft:
    """Of the stages of a plan that are out of date, on at most `most` workers.

    commands: of stages; work: in seconds of any machine, beside each other.
    """

    def __init__(self, plan: Plan, commands: Mapping[str, str], work: Mapping[str, float], most: int) -> None:
        self.plan, self.most = plan, most
        self.work = {name: max(work[name], LEAST_S) for name in plan.stale}
        self.groups = {name: (kind_of(name), module_of(commands[name]), ALL) for name in plan.stale}
        self.left = set(plan.stale)
        self.started: dict[str, float] = {}
        self.whole_s: dict[str, float] = {}  # that stages take from their start to their end, as measured
        self.told: dict[str, dict[str, float]] = {}  # of a stage, by cell: when it will end

    def start(self, name: str) -> None:
        self.started.setdefault(name, monotonic())

    def tell(self, name: str, cell: str, left_s: float, share_done: float) -> None:
        """Note what a stage that trains says of one of its cells."""
        self.told.setdefault(name, {})[cell] = monotonic() + left_s
        if share_done < 1:
            self.whole_s[name] = left_s / (1 - share_done)  # also of a cell that went on from a checkpoint

    def measure(self, name: str, wall_s: float) -> None:
        """Note what a stage took that said nothing itself."""
        self.whole_s.setdefault(name, wall_s)

    def end(self, name: str) -> None:
        self.left.discard(name)

    def estimate(self) -> float | None:
        """Seconds: the work shared by all workers, but at least the longest way to the end.

        None until stages of those modules have been measured that do much of the work.
        """
        pace = self.measure_pace()
        if self.left and not self.is_known(pace):
            return None
        left_s = {name: self.remain(name, pace) for name in self.left}
        longest_s = max(rank_stages(self.plan, left_s).values(), default=0.0)
        return max(sum(left_s.values()) / self.most, longest_s)

    def measure_pace(self) -> dict[str, float]:
        """Seconds for a second's work, by group."""
        return {group: taken_s / work for group, (taken_s, work) in self.add_up(self.whole_s).items()}

    def is_known(self, pace: Mapping[str, float]) -> bool:
        """Whether enough of the work is of modules that were measured."""
        known = [self.work[name] for name, (_, module, _) in self.groups.items() if module in pace]
        return sum(known) >= ENOUGH * sum(self.work.values())

    def add_up(self, seconds: Mapping[str, float]) -> dict[str, tuple[float, float]]:
        """Sums of these seconds and of the work of the same stages, by group."""
        sums: dict[str, tuple[float, float]] = {}
        for name, taken_s in seconds.items():
            for group in self.groups[name]:
                before_s, work = sums.get(group, (0.0, 0.0))
                sums[group] = before_s + taken_s, work + self.work[name]
        return sums

    def remain(self, name: str, pace: Mapping[str, float]) -> float:
        """Seconds that a stage needs yet: as it says itself, else as others of its kind or module took."""
        now = monotonic()
        if name in self.told:
            return max(max(self.told[name].values()) - now, 0.0)
        whole_s = self.work[name] * next(pace[group] for group in self.groups[name] if group in pace)
        return max(whole_s - (now - self.started.get(name, now)), 0.0)

"""What a person sees of a run: a line as a stage ends, and how many are done and the time that is left."""

import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from time import monotonic

LOG_S = 30  # in a log, between two lines
CACHED = "from dvc's cache"


class RunProgress:
    """Of a run on at most `most` workers.

    expected_s: seconds that each stage is expected to take; rank_s: from its start to the end of the run.
    """

    def __init__(self, expected_s: Mapping[str, float], rank_s: Mapping[str, float], most: int) -> None:
        self.expected_s, self.rank_s, self.most = dict(expected_s), rank_s, most
        self.total = len(expected_s)
        self.counts: Counter[str] = Counter()  # how stages ended
        self.is_terminal = sys.stdout.isatty()
        self.said_at = self.estimated_at = monotonic()
        self.left_s = self.estimate()

    def expect(self, expected_s: Mapping[str, float]) -> None:
        """Expect other durations of what has not ended, as those of its kind are known now."""
        self.expected_s |= {name: expected_s[name] for name in self.expected_s}

    def estimate(self) -> float:
        """Seconds that are left: the work shared by all workers, but at least the longest way to the end."""
        longest_s = max((self.rank_s[name] for name in self.expected_s), default=0)
        return max(sum(self.expected_s.values()) / self.most, longest_s)

    def status(self) -> str:
        left_s = max(self.left_s - (monotonic() - self.estimated_at), 0)
        is_late = self.expected_s and not left_s
        left = "longer than expected" if is_late else f"{format_seconds(left_s)} left"
        return f"{self.counts.total()} of {self.total}, {left}"

    def say(self, line: str) -> None:
        print(f"{self.clear()}{line}", flush=True)
        self.said_at = monotonic()

    def clear(self) -> str:
        return "\r\x1b[K" if self.is_terminal else ""  # ECMA-48: erase in line

    def tick(self, running: Iterable[str]) -> None:
        """Show what runs: in a terminal in its last line, in a log where nothing was said for long."""
        line = f"{self.status()}; running: {', '.join(running)}"
        if self.is_terminal:
            print(self.clear() + line[: shutil.get_terminal_size().columns - 1], end="", flush=True)
        elif monotonic() - self.said_at > LOG_S:
            self.say(line)

    def end(self, name: str, how: str, line: str) -> None:
        """Count a stage as ended; a line for each, but for what dvc's cache had."""
        del self.expected_s[name]
        self.counts[how] += 1
        self.left_s, self.estimated_at = self.estimate(), monotonic()
        if how != CACHED:
            self.say(f"{self.status()}: {name} {line}")

    def close(self, up_to_date: int, failures: Mapping[str, str]) -> None:
        """The summary, failures last."""
        counts = {
            "up to date": up_to_date,
            **self.counts,
            "left out of date": self.total - self.counts.total(),
        }
        self.say(", ".join(f"{number} {how}" for how, number in counts.items() if number))
        for name, reason in failures.items():
            print(f"failed: {name}: {reason}", file=sys.stderr)


def format_seconds(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"

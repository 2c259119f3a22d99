"""What a person sees of a run: a line as a stage ends, and how many are done and the time that is left."""

import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from time import monotonic

LOG_S = 30  # in a log, between two lines
CACHED = "from dvc's cache"


class RunProgress:
    """Of a run of `total` stages; left_s: seconds that it needs yet, None while that is unknown."""

    def __init__(self, total: int, left_s: Callable[[], float | None]) -> None:
        self.total, self.left_s = total, left_s
        self.counts: Counter[str] = Counter()  # how stages ended
        self.is_terminal = sys.stdout.isatty()
        self.said_at = monotonic()

    def status(self) -> str:
        ended, left_s = self.counts.total(), self.left_s()
        if left_s is None:
            left = "time left unknown yet"
        else:
            is_late = ended < self.total and not left_s
            left = "longer than expected" if is_late else f"{format_seconds(left_s)} left"
        return f"{ended} of {self.total}, {left}"

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
        self.counts[how] += 1
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

"""What a person sees of a run: a line as a stage starts and ends, and a bar with the time that is left."""

import sys
from collections.abc import Mapping

from tqdm import tqdm


class Progress:
    """expected_s: seconds that each stage of the run is expected to take."""

    def __init__(self, expected_s: Mapping[str, float]) -> None:
        self.expected_s = expected_s
        self.ended = 0
        self.bar = tqdm(
            total=round(sum(expected_s.values()), 1),
            bar_format="{desc} {bar} {percentage:3.0f} %, {elapsed} passed, {remaining} left",
            disable=None,  # in a pipe
        )

    def say(self, line: str) -> None:
        self.bar.clear()
        print(line, flush=True)
        self.bar.refresh()

    def start(self, name: str, where: str) -> None:
        self.say(f"{name}: started on {where}")

    def end(self, name: str, how: str) -> None:
        self.ended += 1
        self.bar.update(self.expected_s[name])
        self.bar.set_description_str(f"{self.ended} of {len(self.expected_s)}", refresh=False)
        self.say(f"[{self.ended}/{len(self.expected_s)}] {name}: {how}")

    def close(self, failures: Mapping[str, str]) -> None:
        """The summary, failures last."""
        self.bar.close()
        left = len(self.expected_s) - self.ended + len(failures)
        if left:
            print(f"{left} of {len(self.expected_s)} stages are left out of date", flush=True)
        for name, reason in failures.items():
            print(f"failed: {name}: {reason}", file=sys.stderr)

"""What running stages say of themselves in their logs."""

import re
from pathlib import Path

NOTE = "note: "  # begins what a stage says of the machine or the data, for whoever started the run
TOLD = re.compile(r"(.+): epoch ([\d.]+)/(\d+), .*?(\d+) s left")  # as training/progress.py prints it


class Logs:
    """Of the stages of a run, each in a file of its own."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self.folder = folder
        self.read: dict[str, int] = {}  # bytes, by stage

    def path(self, name: str) -> Path:
        return self.folder / f"{name.replace('/', '_')}.log"

    def is_there(self, name: str) -> bool:
        """Whether a stage has begun: before, it waits for a worker."""
        return self.path(name).exists()

    def new_lines(self, name: str) -> list[str]:
        """Whole lines that a stage has added since this was called last."""
        if not self.is_there(name):
            return []
        with self.path(name).open("rb") as file:
            file.seek(self.read.get(name, 0))
            lines, _, begun = file.read().rpartition(b"\n")
            self.read[name] = file.tell() - len(begun)
        return lines.decode(errors="replace").splitlines()


def read_progress(line: str) -> tuple[str, float, float] | None:
    """The cell that a line tells of, the seconds that it needs yet, and its share of epochs that is done."""
    found = TOLD.fullmatch(line)
    return (found[1], float(found[4]), float(found[2]) / float(found[3])) if found else None

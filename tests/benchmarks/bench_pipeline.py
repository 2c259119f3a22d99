"""Seconds of what stands around training: finding nothing to do, starting a cell, making the data."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bench_quality import write_small
from workloads import Work, in_turn

from stages.tasks.grid import generate
from stages.tasks.network import simulate


def pipeline() -> dict[str, float]:
    def command(*words: str) -> Work:
        return lambda: subprocess.run([sys.executable, *words], check=True, capture_output=True)

    with TemporaryDirectory() as folder:
        root = Path(folder)
        write_small(root)
        works: dict[str, Work] = {
            "start_of_a_cell_s": command("-c", "import stages.train, stages.tasks.grid.task"),
            "puzzles_small_s": lambda: generate.main(root),
            "network_small_s": lambda: simulate.main(root),
        }
        if Path("data/analysis").is_dir():  # without results dvc's dry run stops at the first missing file
            works["dvc_repro_dry_s"] = command("-m", "dvc", "repro", "--dry")
        return in_turn(works)

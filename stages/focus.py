"""The configuration under study on every task of a study: its cells are trained, or scored, side by side.

dvc runs stages one after another. As one stage these cells use every core.
"""

import argparse
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from dask.system import cpu_count

from stages.parameters import params
from stages.parameters.errors import InputError
from stages.running.command import end_with_parent, run
from stages.running.wall_times import expect_wall_times
from stages.studies.cells import read_cells


def list_focus(root: Path, study: str) -> list[str]:
    """Keys of the cells whose configuration is `pe` of params.yaml."""
    groups = read_cells(root, study)["cells"].values()
    return [key for cells in groups for key, cell in cells.items() if cell["configuration"] is None]


def run_together(commands: list[list[str]], at_once: int) -> list[int]:
    """Exit statuses of commands of Python, of which so many run at a time; they end with this process."""

    def start(command: list[str]) -> int:
        return subprocess.run([sys.executable, *command], preexec_fn=end_with_parent).returncode

    with ThreadPoolExecutor(at_once) as pool:
        return list(pool.map(start, commands))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--study", required=True, help="a file of studies/")
    parser.add_argument("--step", required=True, choices=["train", "score"], help="the stage to run for each")
    chosen = parser.parse_args()
    of_key = {
        key: ["-m", f"stages.{chosen.step}", "--study", chosen.study, "--cell", key]
        for key in list_focus(Path(), chosen.study)
    }
    taken_s = expect_wall_times(Path())
    keys = sorted(
        of_key, key=lambda key: -taken_s.get(" ".join(["python", *of_key[key]]), 0)
    )  # longest first
    threads = params.load(Path(params.FILE)).compute.threads or cpu_count()
    statuses = run_together([of_key[key] for key in keys], max(cpu_count() // threads, 1))
    if failed := [key for key, status in zip(keys, statuses, strict=True) if status]:
        raise InputError(f"{chosen.step} failed for {', '.join(failed)}; the lines above say why")


if __name__ == "__main__":
    run(main)

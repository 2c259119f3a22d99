"""The configuration under study on every task of a study: its cells are trained, or scored, side by side.

dvc runs stages one after another. As one stage these cells use every core.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from stages.parameters.errors import InputError
from stages.running.command import end_with_parent, run
from stages.studies.cells import read_cells


def list_focus(root: Path, study: str) -> list[str]:
    """Keys of the cells whose configuration is `pe` of params.yaml."""
    groups = read_cells(root, study)["cells"].values()
    return [key for cells in groups for key, cell in cells.items() if cell["configuration"] is None]


def run_together(commands: list[list[str]]) -> list[int]:
    """Exit statuses of commands of Python, all run at a time; they end with this process.

    This is faster than a queue: three cells of two minutes each take three minutes on two cores, not four.
    """
    processes = [
        subprocess.Popen([sys.executable, *command], preexec_fn=end_with_parent) for command in commands
    ]
    return [process.wait() for process in processes]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--study", required=True, help="a file of studies/")
    parser.add_argument("--step", required=True, choices=["train", "score"], help="the stage to run for each")
    chosen = parser.parse_args()
    keys = list_focus(Path(), chosen.study)
    commands = [["-m", f"stages.{chosen.step}", "--study", chosen.study, "--cell", key] for key in keys]
    statuses = run_together(commands)
    if failed := [key for key, status in zip(keys, statuses, strict=True) if status]:
        raise InputError(f"{chosen.step} failed for {', '.join(failed)}; the lines above say why")


if __name__ == "__main__":
    run(main)

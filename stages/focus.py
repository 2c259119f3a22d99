"""The configuration under study on every task of a study: its cells are trained, or scored, side by side.

dvc runs stages one after another. As one stage these cells use every core.
"""

import argparse
import multiprocessing
from importlib import import_module
from pathlib import Path

from stages.parameters.errors import InputError
from stages.running.command import become, end_with_parent, run, use_large_pages
from stages.studies.cells import read_cells


def list_focus(root: Path, study: str) -> list[str]:
    """Keys of the cells whose configuration is `pe` of params.yaml."""
    groups = read_cells(root, study)["cells"].values()
    return [key for cells in groups for key, cell in cells.items() if cell["configuration"] is None]


def run_together(commands: list[list[str]]) -> list[int]:
    """Exit statuses of modules of Python with arguments, all run at a time; they end with this process.

    This is faster than a queue: three cells of two minutes each take three minutes on two cores, not four.
    They are forked, so that slow libraries are imported once.
    """
    fork = multiprocessing.get_context("fork")
    processes = [fork.Process(target=become_cell, args=(command,)) for command in commands]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    return [int(process.exitcode or 0) for process in processes]


def become_cell(command: list[str]) -> None:
    """Turn this process into the command; it ends with its parent."""
    end_with_parent()
    become(command)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--study", required=True, help="a file of studies/")
    parser.add_argument("--step", required=True, choices=["train", "score"], help="the stage to run for each")
    chosen = parser.parse_args()
    use_large_pages()  # as the runner's stages do
    keys = list_focus(Path(), chosen.study)
    commands = [[f"stages.{chosen.step}", "--study", chosen.study, "--cell", key] for key in keys]
    import_module("stages.training.cell")  # with torch, which every one of them needs
    statuses = run_together(commands)
    if failed := [key for key, status in zip(keys, statuses, strict=True) if status]:
        raise InputError(f"{chosen.step} failed for {', '.join(failed)}; the lines above say why")


if __name__ == "__main__":
    run(main)

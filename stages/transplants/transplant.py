"""Train a model that has another's tables: one entry of params.yaml here, all seeds at once."""

import argparse
from pathlib import Path

from stages.files.artifacts import write_atomically
from stages.files.cells import MODELS
from stages.parameters import params
from stages.running.command import run
from stages.train import write_cell
from stages.training.cell import checkpoint_path, fit_model, set_up
from stages.training.checkpoint import fingerprint
from stages.transplants.entries import FILE, load_transplants
from stages.transplants.host import host_with_tables

TRANSPLANTED = Path("data/transplants")
TASKS = ("grid", "network", "recordings")


def transplant(root: Path, task_name: str, name: str) -> None:
    """Train the host and write its folder, as of any other cell."""
    settings, known = params.load(root / params.FILE), load_transplants(root)
    if name not in known:
        raise ValueError(f"{FILE}: transplants.{name} is not known; expected one of {', '.join(known)}")
    chosen = known[name]
    where, task, replicates = set_up(settings, root, task_name)
    model = host_with_tables(settings, root, task_name, task, chosen, replicates).to(where)
    folders = [root / MODELS / task_name / configuration for configuration in (chosen.donor, chosen.host)]
    origin = fingerprint([chosen], folders)
    label = f"transplant_{name}"
    cell = fit_model(settings, root, task_name, label, [origin], task, model, replicates)
    with write_atomically(root / TRANSPLANTED / task_name / name) as beside:
        write_cell(beside, cell)
    checkpoint_path(root, task_name, label).unlink(missing_ok=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", required=True, choices=TASKS)
    parser.add_argument("--name", required=True, help=f"an entry of {FILE}")
    chosen = parser.parse_args()
    transplant(Path(), chosen.task, chosen.name)


if __name__ == "__main__":
    run(main)

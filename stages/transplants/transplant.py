"""Train a model that has another's tables: one entry of params.yaml's `transplants`, all seeds at once."""

import argparse
from pathlib import Path

from stages.files.artifacts import write_atomically
from stages.parameters import params
from stages.running.command import run
from stages.train import write_cell
from stages.training import cell
from stages.training.checkpoint import fingerprint
from stages.transplants.host import MODELS, patient

TRANSPLANTED = Path("data/transplants")
TASKS = ("grid", "network", "recordings")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--task", required=True, choices=TASKS)
    parser.add_argument("--name", required=True, help="an entry of transplants")
    given = parser.parse_args()
    settings = params.load()
    if given.name not in settings.transplants:
        known = ", ".join(settings.transplants)
        raise ValueError(f"transplants.{given.name} is not known; expected one of {known}")
    transplant = settings.transplants[given.name]
    where, task, replicates = cell.on_device(settings, given.task)
    model = patient(settings, given.task, task, transplant, replicates).to(where)
    origin = fingerprint(
        [transplant], [MODELS / given.task / name for name in (transplant.donor, transplant.host)]
    )
    label = f"transplant_{given.name}"
    trained = cell.fitted(settings, given.task, label, [origin], task, model, replicates)
    with write_atomically(TRANSPLANTED / given.task / given.name) as beside:
        write_cell(beside, trained)
    cell.unfinished(given.task, label).unlink(missing_ok=True)


if __name__ == "__main__":
    run(main)

"""Train one seed of a published run: a folder of data/published/models, as those of stages/train.py."""

from pathlib import Path

from stages.files import artifacts
from stages.parameters import params
from stages.published.settings import (
    MODELS,
    PUZZLES,
    TASK,
    at_published_size,
    load_published,
    read_command,
    settings_for,
)
from stages.randomness.streams import Replicates
from stages.running.command import run
from stages.train import write_cell
from stages.training.assemble import assemble
from stages.training.cell import checkpoint_path, fit_model, set_up_task


def train(root: Path, name: str, seed: int) -> None:
    """Train it, resuming an interrupted run."""
    settings, configuration = settings_for(
        at_published_size(params.load(root / params.FILE)), load_published(root), name
    )
    puzzles = artifacts.require(root / PUZZLES, "stages.published.make_puzzles")
    where, task = set_up_task(settings, TASK, artifacts.read_arrays(puzzles))
    replicates = Replicates(settings.seed, TASK, [seed])
    model = assemble(task, configuration, settings.model(TASK), replicates).to(where)
    label = [f"published_{name}_{seed}"]
    cell = fit_model(settings, root, TASK, label, [configuration], task, model, replicates, puzzles)
    with artifacts.write_atomically(root / MODELS / name / str(seed)) as beside:
        write_cell(beside, cell)
    checkpoint_path(root, TASK, label).unlink(missing_ok=True)


def main() -> None:
    train(*read_command(__doc__))


if __name__ == "__main__":
    run(main)

"""Cells of small tasks, trained for an epoch and stored as the training stage stores them."""

from pathlib import Path

from stages.model.transformer import Transformer
from stages.parameters.params import Configuration
from stages.parameters.scales import Model, Training
from stages.randomness.streams import Replicates
from stages.tasks.interface import Task
from stages.train import write_cell
from stages.training.assemble import assemble
from stages.training.cell import TrainedCell
from stages.training.checkpoint import Checkpoint
from stages.training.fit import fit
from stages.training.forward import Forward
from stages.training.predict import encoding_tables

SIZES, REPLICATES = Model(width=8, blocks=2, heads=2, expansion=2), Replicates(0, "made up", range(2))
TRAINING = Training(seeds=2, epochs=1, batch_size=8, learning_rate=0.01, weight_decay=0.0, compile=False)


def cell(folder: Path, task: Task, configuration: Configuration) -> Transformer:
    """The trained model, its cell written to the folder."""
    model = assemble(task, configuration, SIZES, REPLICATES)
    initial = encoding_tables(model)
    nowhere = Checkpoint(folder.with_name(f".{folder.name}.part"), "key")
    history = fit(Forward(model), task, TRAINING, REPLICATES, 2, nowhere, *[lambda *_: None] * 2)
    write_cell(folder, TrainedCell(model, task, history, initial))
    return model

"""Parameters that a study changes though nothing of its cells depends on them."""

from collections.abc import Mapping
from dataclasses import fields

from stages.core.encodings.interface import PositionalEncoding
from stages.core.settings.errors import InputError
from stages.core.settings.sizes import Training
from stages.studies.cells import Cell
from stages.tasks.facts import find_facts

Idle = dict[str, str]  # paths of parameters, and what makes them idle
# what a model that is scored as drawn does not know
OF_EPOCHS = [f"training.{one.name}" for one in fields(Training) if one.name not in ("seeds", "epochs")]
OF_EPOCHS += ["configuration.dropout"]


def list_idle(cell: Cell, encoding: PositionalEncoding | None) -> Idle:
    """List parameters that a cell does not depend on.

    encoding: None where none could be made yet.
    """
    settings, configuration = cell.settings, cell.configuration
    training = settings.training(cell.task)
    idle = find_facts(cell.task).idle(settings) | training.idle()
    if not training.epochs:
        idle |= dict.fromkeys(OF_EPOCHS, "training.epochs: 0")
    if configuration.architecture.block == "gau":
        idle |= dict.fromkeys(("model.heads", "model.expansion"), "block: gau")
    if encoding is not None and not any(each.requires_grad for each in encoding.parameters()):
        of_tables = ("training.table_learning_rate", "training.table_weight_decay")
        idle |= dict.fromkeys(of_tables, f"scheme: {configuration.scheme}, which has nothing to train")
    return idle


def check_idle(cells: Mapping[str, Cell], idle: Mapping[str, Idle]) -> None:
    """Raise InputError for a parameter that is idle in every cell that has it, or along a cell's axis."""
    for label, of_cell in idle.items():
        for path, why in of_cell.items():
            if path not in cells[label].changes:
                continue
            of_task = [
                one for one in cells if cells[one].task == cells[label].task and path in cells[one].changes
            ]
            along = [one for one in of_task if cells[one].name == cells[label].name]
            varied = len({str(cells[one].changes[path]) for one in along}) > 1
            if any(all(path in idle[one] for one in some) for some in [of_task, *([along] * varied)]):
                cure = f", or give {cells[label].name} `at: []`" if varied else ""
                raise InputError(
                    f"{label}: {path}: {cells[label].changes[path]!r} given, but it changes nothing with "
                    f"{why}; leave it out{cure}"
                )

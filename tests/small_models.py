"""Small models and optimisers for the tests of training."""

from collections.abc import Sequence

from stages.core.model.transformer import Transformer
from stages.core.randomness.streams import Replicates
from stages.core.settings.configuration import Configuration
from stages.core.settings.sizes import Model
from stages.tasks.interface import Task
from stages.training.assemble import assemble
from stages.training.optimisers import Flat

SIZES = Model(width=16, blocks=2, heads=2, expansion=2)


def build(task: Task, numbers: Sequence[int], sizes: Model = SIZES) -> tuple[Transformer, Replicates]:
    """Build a model of the replicates of these numbers."""
    replicates = Replicates(0, "test", numbers)
    return assemble(task, Configuration("pe", "learned", {}), sizes, replicates), replicates


def adamw(model: Transformer, rate: float) -> Flat:
    return Flat("adamw", {"params": model.parameters(), "lr": rate, "weight_decay": 0})

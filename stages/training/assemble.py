"""Where task, encoding and model meet: R replicas of one configuration as one stacked model."""

from torch import nn

from stages.encodings.interface import Shape, create
from stages.model.layers import FeatureEmbedding, TokenEmbedding
from stages.model.transformer import Transformer
from stages.numerics.streams import Generators, Replicates
from stages.params import Configuration, Model
from stages.tasks.interface import Codes, Features, Task


def assemble(task: Task, configuration: Configuration, sizes: Model, replicates: Replicates) -> Transformer:
    """A model of the replicates, each one's initial values its own.

    Weights outside the encoding are the same in every configuration (paired comparisons).
    """
    shape = Shape(sizes.blocks, task.positions.n_tokens, sizes.width, sizes.heads)
    encoding = create(configuration, task.positions, shape, replicates.generators("encoding"))
    weights = replicates.generators("weights")
    embedding = _embedding(task.inputs, sizes.width, weights)
    return Transformer(sizes, embedding, encoding, task.n_outputs, task.read, weights)


def _embedding(inputs: Codes | Features, width: int, generators: Generators) -> nn.Module:
    match inputs:
        case Codes(n):
            return TokenEmbedding(n, width, generators)
        case Features(n):
            return FeatureEmbedding(n, width, generators)

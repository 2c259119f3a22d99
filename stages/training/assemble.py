"""Assemble task, encoding and model: R replicas of one configuration as one stacked model."""

from collections import OrderedDict

import torch
from torch import nn

from stages.core.encodings.interface import Host
from stages.core.encodings.lookup.resolve import create, is_causal
from stages.core.model import gau, normalisers, post_norm
from stages.core.model.layers import Linear, TokenEmbedding
from stages.core.model.transformer import Markers, Transformer
from stages.core.randomness.initial import normal
from stages.core.randomness.streams import Generators, Replicates
from stages.core.settings.configuration import Configuration
from stages.core.settings.errors import InputError
from stages.core.settings.sizes import Model
from stages.parameters.params import Params
from stages.tasks.facts import TaskFacts
from stages.tasks.interface import Codes, Features, Task
from stages.training.host import MARKERS, host_for, normaliser_name, normaliser_of


def assemble(task: Task, configuration: Configuration, sizes: Model, replicates: Replicates) -> Transformer:
    """Assemble a model of the replicates, each one's initial values its own.

    Weights outside the encoding are the same in every configuration of the same blocks (paired comparisons).
    Raises InputError if the encoding does not fit the model. Its trial (stages/trial) comes before.
    """
    host = host_for(task.positions, configuration, sizes, replicates)
    encoding = create(configuration, host)
    weights = replicates.generators("weights")
    embedding = _embedding(task.inputs, sizes.width, weights)
    scale_weights(embedding, configuration.architecture.embedding_gain)
    blocks = _blocks(configuration, sizes, host, weights)
    readout = Linear(sizes.width, task.n_outputs, weights)
    scale_weights(readout, configuration.architecture.readout_gain)
    before, behind = MARKERS[configuration.architecture.markers]
    vectors = normal(1, (before + behind, sizes.width), replicates.generators("markers"))
    markers = Markers(vectors, before) if before + behind else None
    dropout = configuration.architecture.dropout or 0.0
    return Transformer(embedding, markers, encoding, host.n_tables, blocks, readout, task.read, dropout)


def check_mask(facts: TaskFacts, settings: Params, configuration: Configuration) -> None:
    """Raise InputError where tokens would see what they are asked for."""
    asked_by = facts.needs_causal(settings)
    if asked_by and not is_causal(configuration):
        raise InputError(
            f"{configuration.path}.mask: {configuration.architecture.mask} given with {asked_by}, where "
            "tokens would see what they are asked for; add `mask: causal` to the configuration"
        )


@torch.no_grad()
def scale_weights(layer: nn.Module, gain: float) -> None:
    for parameter in layer.parameters():
        parameter.mul_(gain)


def _embedding(inputs: Codes | Features, width: int, generators: Generators) -> nn.Module:
    match inputs:
        case Codes(n):
            return TokenEmbedding(n, width, generators)
        case Features(n):
            return nn.Sequential(OrderedDict(linear=Linear(n, width, generators)))


def _blocks(
    configuration: Configuration, sizes: Model, host: Host, generators: Generators
) -> list[nn.Module]:
    architecture = configuration.architecture
    normaliser = normaliser_of(architecture)
    gain = normalisers.initial_gain(normaliser_name(architecture), len(host.indices))
    extra = architecture.extra_hidden
    blocks: list[nn.Module] = []
    for _ in range(sizes.blocks):
        block = (
            gau.Block(sizes, normaliser, generators)
            if architecture.block == "gau"
            else post_norm.Block(sizes, normaliser, gain, generators, extra)
        )
        block.scale_queries_and_keys(architecture.qk_gain)
        blocks.append(block)
    return blocks

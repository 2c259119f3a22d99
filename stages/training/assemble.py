"""Where task, encoding and model meet: R replicas of one configuration as one stacked model."""

from collections import OrderedDict
from math import prod

import torch
from torch import Tensor, nn

from stages.encodings.interface import Host, PositionalEncoding, adds_tables, create, is_causal, resolve
from stages.model import gau, normalisers, post_norm
from stages.model.layers import Linear, TokenEmbedding
from stages.model.transformer import Markers, Transformer
from stages.parameters.errors import InputError
from stages.parameters.params import Configuration, Params
from stages.parameters.scales import Model
from stages.positions.positions import Positions
from stages.randomness.initial import normal
from stages.randomness.streams import Generators, Replicates
from stages.tasks.facts import TaskFacts
from stages.tasks.interface import Codes, Features, Task

AXES = {
    "rotate": "R, B, H, m, d_h",
    "logits": "R, B, H, m, n",
    "weights": "R, B, H, m, n",
    "mix_values": "R, B, H, m, d_v",
    "table": "R or 1, n, d",
}  # R seeds, B examples, H heads, m of n tokens: stages/encodings/interface.py
MARKERS = {"none": (0, 0), "cls": (1, 0), "cls_sep": (1, 1)}  # before and behind the task's tokens


def assemble(task: Task, configuration: Configuration, sizes: Model, replicates: Replicates) -> Transformer:
    """A model of the replicates, each one's initial values its own.

    Weights outside the encoding are the same in every configuration of the same blocks (paired comparisons).
    Raises InputError where the encoding does not fit the model, or returns what the model cannot go on with.
    """
    host = host_for(task.positions, configuration, sizes, replicates)
    encoding = create(configuration, host)
    try_out(configuration.scheme, encoding, host)
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


def host_for(
    positions: Positions, configuration: Configuration, sizes: Model, replicates: Replicates
) -> Host:
    """What an encoding needs to know of the model that a configuration makes."""
    before, behind = MARKERS[configuration.architecture.markers]
    head = sizes.width // sizes.heads
    heads = (sizes.heads, head, head)
    if configuration.architecture.block == "gau":
        heads = (1, gau.QUERY_WIDTH, gau.EXPANSION * sizes.width)
    added = sizes.blocks if configuration.architecture.where != "input" else 1
    tables = added if adds_tables(resolve(configuration)[0]) else 0
    indices = tuple(range(-before, positions.n_tokens + behind))
    generators = replicates.generators("encoding")
    return Host(positions, generators, sizes.blocks, sizes.width, *heads, indices, tables)


@torch.no_grad()
def try_out(scheme: str | None, encoding: PositionalEncoding, host: Host) -> None:
    """Call every method on made-up numbers; InputError for a wrong shape or number format, or a NaN.

    Later the same mistake would be torch's own error in the model, or a loss of NaN. A parameter without an
    axis of replicas would train as one for all of them, without a word.
    """
    replicas = len(host.generators)
    for name, parameter in encoding.named_parameters():
        if parameter.shape[:1] != (replicas,):
            raise InputError(
                f"{scheme}: parameter {name} has shape {tuple(parameter.shape)}, expected a first axis of "
                f"{replicas}, one for each seed: they train side by side, each with values of its own"
            )
    n, heads = len(host.indices), (replicas, 1, host.heads)
    table = _numbers(replicas, host.positions.n_tokens, host.width)
    q, k = _numbers(*heads, 1, host.head_width), _numbers(*heads, n, host.head_width)
    pairs, mixed = _numbers(*heads, 1, n), _numbers(*heads, 1, host.value_width)
    for rows in (slice(0, 1), slice(n - 1, n)):  # one query: cheap, and shows a method that forgets `rows`
        for block in range(host.blocks):
            _check("rotate", encoding.rotate(block, q, rows), q, scheme)
            _check("logits", encoding.logits(block, pairs, q, k, rows), pairs, scheme)
            _check("weights", encoding.weights(block, pairs, rows), pairs, scheme)
            _check("mix_values", encoding.mix_values(block, mixed, pairs, rows), mixed, scheme)
    for block in range(host.n_tables):
        added = encoding.table(block)
        if added is not None:
            _check("table", added, table[:1] if len(added) == 1 else table, scheme)


def _numbers(*size: int) -> Tensor:
    return torch.linspace(-1, 1, prod(size)).view(size)


def _check(method: str, returned: Tensor, like: Tensor, scheme: str | None) -> None:
    """Raise InputError unless `returned` has the shape and format of `like`, and no NaN."""
    expected = _describe(like)
    given = _describe(returned) if isinstance(returned, Tensor) else type(returned).__name__
    if given != expected:
        raise InputError(f"{scheme}: {method} returned {given}, expected {expected}, [{AXES[method]}]")


def _describe(tensor: Tensor) -> str:
    nan = " with NaN" if tensor.isnan().any() else ""
    return f"{str(tensor.dtype).removeprefix('torch.')} of shape {tuple(tensor.shape)}{nan}"


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
    name = architecture.normaliser or ("relu2_mean" if architecture.block == "gau" else "softmax")
    normaliser = getattr(normalisers, name)
    gain = normalisers.initial_gain(name, len(host.indices))
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

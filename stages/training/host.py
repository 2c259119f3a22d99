"""The model that a configuration makes, as far as its encoding must know it."""

from stages.core.encodings.interface import Host
from stages.core.encodings.lookup.resolve import adds_tables
from stages.core.model import gau, normalisers
from stages.core.model.attention import Normaliser
from stages.core.positions.positions import Positions
from stages.core.randomness.streams import Replicates
from stages.core.settings.configuration import Architecture, Configuration
from stages.core.settings.sizes import Model

MARKERS = {"none": (0, 0), "cls": (1, 0), "cls_sep": (1, 1)}  # before and behind the task's tokens


def host_for(
    positions: Positions, configuration: Configuration, sizes: Model, replicates: Replicates
) -> Host:
    """Describe for an encoding the model that a configuration makes."""
    before, behind = MARKERS[configuration.architecture.markers]
    head = sizes.width // sizes.heads
    heads = (sizes.heads, head, head)
    if configuration.architecture.block == "gau":
        heads = (1, gau.QUERY_WIDTH, gau.EXPANSION * sizes.width)
    added = sizes.blocks if configuration.architecture.where != "input" else 1
    tables = added if adds_tables(configuration) else 0
    indices = tuple(range(-before, positions.n_tokens + behind))
    markers = tuple(place for place, index in enumerate(indices) if not 0 <= index < positions.n_tokens)
    generators = replicates.generators("encoding")
    return Host(positions, generators, sizes.blocks, sizes.width, *heads, indices, tables, markers)


def normaliser_name(architecture: Architecture) -> str:
    return architecture.normaliser or ("relu2_mean" if architecture.block == "gau" else "softmax")


def normaliser_of(architecture: Architecture) -> Normaliser:
    found: Normaliser = getattr(normalisers, normaliser_name(architecture))
    return found

"""Tables that hosts are given, [R, blocks, n, d], made from what donors learned. All have the same rms.

learned: the donors'. exchanged: the same, each row at another region. functional: as far apart as the donors'
functional distances (1 - correlation), by classical scaling, turned at random. gradients: random maps of the
leading gradients of their functional connectivity. random: normal draws.
"""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from stages.encodings.learned import Encoding
from stages.model.transformer import Transformer
from stages.parameters.params import read_configuration
from stages.parameters.scales import Model
from stages.randomness.streams import Replicates
from stages.tasks.interface import Task
from stages.training.assemble import assemble
from stages.training.predict import encoding_tables

Tables = NDArray[np.float32]
SCHEMES: dict[str, dict[str, Any]] = {
    "functional": {"scheme": "mds", "distances": "functional"},
    "gradients": {"scheme": "connectivity_gradients"},
    "random": {"scheme": "random_fixed"},
}


def donate(kind: str, learned: Tables, donors: Task, sizes: Model, replicates: Replicates) -> Tables:
    """The tables of a kind; `donors` is their task, with their functional distances."""
    if kind == "learned":
        return learned
    if kind == "exchanged":
        return exchange(learned, replicates)
    configuration = read_configuration(f"people.{kind}", SCHEMES[kind])
    return scale_to(tables_of(assemble(donors, configuration, sizes, replicates)), learned)


def exchange(tables: Tables, replicates: Replicates) -> Tables:
    """The rows exchanged between regions, by one permutation per seed for all its tables."""
    streams = replicates.generators("exchanged")
    return np.stack([
        of_seed[:, stream.permutation(of_seed.shape[1])]
        for of_seed, stream in zip(tables, streams, strict=True)
    ])  # fmt: skip


def scale_to(tables: Tables, like: Tables) -> Tables:
    """The tables times a number for each seed and block, so that their rms is that of `like`."""
    return np.asarray(tables * (rms(like) / rms(tables)), np.float32)


def rms(tables: Tables) -> NDArray[np.float64]:
    """Root of the mean square entry of each seed's and block's table, [R, blocks, 1, 1]."""
    return np.asarray(np.sqrt(np.mean(tables.astype(np.float64) ** 2, axis=(2, 3), keepdims=True)))


def tables_of(model: Transformer) -> Tables:
    """The tables that a model adds, where it adds some."""
    tables = encoding_tables(model)
    assert tables is not None
    return tables


def freeze(model: Transformer, tables: Tables) -> None:
    """Give a model with learned tables these, never to be trained."""
    assert isinstance(model.encoding, Encoding)
    model.encoding.tables.data.copy_(torch.from_numpy(tables))
    model.encoding.tables.requires_grad_(False)

"""Tables that a model is given before it is trained: those of another cell, seed by seed."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from stages.core.model.transformer import Transformer
from stages.core.randomness.streams import Replicates
from stages.core.settings.errors import InputError

Tables = NDArray[np.float32]  # [R, tables, n, d]


@dataclass(frozen=True)
class Given:
    """Tables, and what becomes of them."""

    tables: Tables
    frozen: bool


def exchange_rows(tables: Tables, replicates: Replicates) -> Tables:
    """Give rows to other tokens, by one permutation per seed for all its tables."""
    streams = replicates.generators("transplanted")
    return np.stack([
        of_seed[:, stream.permutation(of_seed.shape[1])]
        for of_seed, stream in zip(tables, streams, strict=True)
    ])  # fmt: skip


def scale_to(tables: Tables, like: Tables) -> Tables:
    """Multiply tables by a number for each seed and block, so that their rms is that of `like`."""
    return np.asarray(tables * (rms(like) / rms(tables)), np.float32)


def rms(tables: Tables) -> NDArray[np.float64]:
    """Return the root of the mean square entry of each seed's and block's table, [R, tables, 1, 1]."""
    return np.asarray(np.sqrt(np.mean(tables.astype(np.float64) ** 2, axis=(2, 3), keepdims=True)))


def give_tables(model: Transformer, given: Given, donor: str) -> None:
    """Put the tables into a model with learned ones; InputError where they do not fit."""
    learned = getattr(model.encoding, "tables", None)  # as stages/core/encodings/learned.py has them
    if not isinstance(learned, nn.Parameter) or learned.shape != given.tables.shape:
        expected = tuple(learned.shape) if isinstance(learned, nn.Parameter) else "no learned tables"
        raise InputError(
            f"tables {given.tables.shape} of {donor} do not fit a model with {expected}; expected learned "
            "tables of that shape and as many seeds"
        )
    learned.data.copy_(torch.from_numpy(given.tables))
    learned.requires_grad_(not given.frozen)

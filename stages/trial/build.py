"""Make an encoding for a trial, and check what it is made of."""

from dataclasses import replace

import torch

from stages.core.encodings.interface import Host, PositionalEncoding
from stages.core.encodings.lookup.resolve import create
from stages.core.positions.positions import Positions
from stages.core.randomness.streams import Replicates
from stages.core.settings.configuration import Configuration
from stages.core.settings.errors import InputError
from stages.core.settings.sizes import Model
from stages.training.host import host_for
from stages.trial.listener import SEEDS


def build(
    configuration: Configuration, positions: Positions, sizes: Model, seeds: Replicates = SEEDS
) -> tuple[PositionalEncoding, Host]:
    host = host_for(positions, configuration, sizes, seeds)
    return create(configuration, host), host


def build_larger(configuration: Configuration, positions: Positions, sizes: Model) -> PositionalEncoding:
    """Make the encoding for one block more and twice as many heads, with vectors of the same width."""
    host = host_for(positions, configuration, sizes, SEEDS)
    tables = host.n_tables and host.n_tables + 1
    return create(configuration, replace(host, blocks=host.blocks + 1, heads=2 * host.heads, n_tables=tables))


def check_shapes(scheme: str, encoding: PositionalEncoding) -> None:
    """Raise InputError for a parameter that seeds would share, or a buffer that cannot be split."""
    for name, parameter in encoding.named_parameters():
        if parameter.shape[:1] != (len(SEEDS),):
            raise InputError(
                f"{scheme}: parameter {name} has shape {tuple(parameter.shape)}, expected a first axis of "
                f"{len(SEEDS)}, one for each seed: they train side by side, each with values of its own"
            )
    for name, buffer in encoding.named_buffers():
        if buffer.shape[:1] not in ((1,), (len(SEEDS),)):
            raise InputError(
                f"{scheme}: buffer {name} has shape {tuple(buffer.shape)}, expected a first axis of 1, "
                f"for all seeds together, or of {len(SEEDS)}, one for each; write {name}[None]"
            )


def check_builds(scheme: str, encoding: PositionalEncoding, again: PositionalEncoding) -> None:
    """Raise InputError if the same cell starts from other values."""
    others = again.state_dict()
    for name, value in encoding.state_dict().items():
        if not torch.equal(value.nan_to_num(), others[name].nan_to_num()):
            raise InputError(
                f"{scheme}: {name} differs when the same cell is made again; draw it from host.generators"
            )

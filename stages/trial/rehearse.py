"""Try an encoding before anything is made or trained: on four tokens with made-up positions."""

from copy import deepcopy

import numpy as np

from stages.core.encodings.interface import Host, PositionalEncoding
from stages.core.encodings.lookup.resolve import create
from stages.core.positions.positions import Positions
from stages.core.randomness.global_streams import watch_globals
from stages.core.randomness.streams import Replicates
from stages.core.settings.configuration import Configuration
from stages.core.settings.errors import InputError
from stages.core.settings.sizes import Model
from stages.training.host import host_for
from stages.trial.try_out import try_out

# the corners of a square; its sides are the graph
CORNERS = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
APART = np.abs(CORNERS[:, None] - CORNERS).sum(-1)
POSITIONS = Positions(4, CORNERS, np.asarray(APART == 1, float), np.exp(-APART))
REPLICATES = Replicates(0, "rehearsal", [0, 1, 2])


def rehearse(configuration: Configuration, sizes: Model) -> tuple[PositionalEncoding, Host] | None:
    """Rehearse an encoding and its host. Raises InputError if it does not pass its trial.

    A scheme that needs other positions is tried only on those of its data: None.
    """
    host = host_for(deepcopy(POSITIONS), configuration, sizes, REPLICATES)
    scheme = str(configuration.scheme)
    with watch_globals(scheme):
        try:
            encoding = create(configuration, host)
        except InputError:
            return None
        try_out(configuration, POSITIONS, sizes)
    return encoding, host

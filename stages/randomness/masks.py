"""Evaluation masks: which tokens of each frame are hidden."""

import numpy as np
from numpy.typing import NDArray

from stages.parameters.errors import InputError


def draw_masks(
    n_frames: int, n_tokens: int, fraction: float, generator: np.random.Generator
) -> NDArray[np.bool_]:
    """Draw masks [n_frames, n_tokens], True = hidden; every frame hides the same number of tokens.

    That number is round(fraction * n_tokens), at least 1 and at most n_tokens - 1. The tokens are drawn
    uniformly and anew for each frame. Raises InputError for fewer than two tokens.
    """
    if n_tokens < 2:
        raise InputError(f"{n_tokens} token to mask, expected at least 2: one to hide and one to see")
    n_hidden = min(max(round(fraction * n_tokens), 1), n_tokens - 1)
    hidden = np.broadcast_to(np.arange(n_tokens) < n_hidden, (n_frames, n_tokens))
    return generator.permuted(hidden, axis=1)

"""Evaluation masks: which tokens of each frame are hidden."""

import numpy as np
from numpy.typing import NDArray

from ..settings.errors import InputError


def check_share(name: str, fraction: float, n_tokens: int) -> None:
    """Raise InputError for a share of tokens that rounds to none or all: masks could not keep it."""
    hidden = round(fraction * n_tokens)
    if n_tokens > 1 and not 1 <= hidden < n_tokens:
        least, most = 1 / n_tokens, 1 - 1 / n_tokens
        raise InputError(
            f"{name}: {fraction:g} given, which hides {hidden} of {n_tokens} tokens, expected one or more "
            f"hidden and one or more left; take {least:.3g} to {most:.3g}"
        )


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

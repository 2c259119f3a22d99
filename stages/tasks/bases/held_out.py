"""Pairs of neighbouring tokens that are held out of training, and where they are asked in the end.

N(j) are the true neighbours of token j, H(j) those of them that are held out from it. In training, j's error
counts only where no token of H(j) is visible. In the end j is asked where only such neighbours are visible
(new), beside where only the other neighbours are (seen). To answer the first, a model must have placed j near
H(j) by what other neighbours taught it.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.stats import hypergeom

from stages.core.settings.errors import InputError
from stages.files.artifacts import Arrays

Pairs = NDArray[np.bool_]  # [n, n], row j: tokens that stand in the relation to j
Masks = NDArray[np.bool_]  # [..., n], True = hidden
ENOUGH = 10  # frames that are expected to do so: in none by chance once in 20 000


def hold_out(
    name: str, neighbours: Pairs, share: float, train_masks: Masks, random: np.random.Generator
) -> Arrays:
    """Make a task's data of held-out pairs: `neighbours` and `held_out` [n, n]; nothing at share 0.

    name: the task's. Raises InputError if a token has no neighbour or no pair is held out. It also does so if
    none of the training masks [T, n] lets a token's error count or tests a new pair.
    """
    if share == 0:
        return {}
    if not neighbours.any(axis=1).all():
        lonely = np.flatnonzero(~neighbours.any(axis=1))[0]
        raise InputError(
            f"{name}.held_out: {share:g} given, but token {lonely} has no true neighbour, expected one or "
            "more of each token; set it to 0"
        )
    held_out = draw_pairs(neighbours, share, random)
    if not held_out.any():
        most = neighbours.sum(axis=1).max()
        raise InputError(
            f"{name}.held_out: {share:g} of {most} neighbours or fewer holds out no pair, expected a share "
            f"that rounds to one; take {1 / most:.2g} or more, or 0"
        )
    taught = find_counted(train_masks, held_out).any(axis=0)
    fault = f"none of {len(train_masks)} training frames "
    if not taught.all():
        fault += f"hides token {np.flatnonzero(~taught)[0]} together with all that is held out from it"
    elif not find_new(train_masks, neighbours, held_out).any():
        fault += "shows a hidden token nothing but neighbours that are held out from it"
    else:
        return {"neighbours": neighbours, "held_out": held_out}
    n, most = len(neighbours), neighbours.sum(axis=1).max()
    visible = most_visible(neighbours, held_out, len(train_masks))
    fraction = (
        f"{name}.mask_fraction {1 - visible / n:.4g}, which leaves {visible} visible, or " if visible else ""
    )
    raise InputError(
        f"{name}.held_out: {share:g} given, but {fault}, where {n - train_masks[0].sum()} of {n} tokens are "
        f"visible and one has up to {most} neighbours; take {fraction}held_out 0"
    )


def most_visible(neighbours: Pairs, held_out: Pairs, n_frames: int) -> int:
    """Find how many tokens of a mask can be visible and still teach each token and test new pairs; 0 if none.

    At least ENOUGH of the frames with so many random visible tokens are expected to do each.
    """
    n = len(neighbours)
    barred, others = held_out.sum(axis=1), (neighbours & ~held_out).sum(axis=1)
    for visible in range(n - 1, 0, -1):
        hidden = n_frames * (n - visible) / n
        sees_no = [hypergeom(n - 1, count, visible).pmf(0) for count in (barred, others, barred + others)]
        taught, asked = hidden * sees_no[0], hidden * (sees_no[1] - sees_no[2])
        if min(taught.min(), asked.mean()) >= ENOUGH:
            return visible
    return 0


def draw_pairs(neighbours: Pairs, share: float, random: np.random.Generator) -> Pairs:
    """Draw that share of each token's neighbours, as pairs: if i is held out from j, j is from i.

    Pairs come in random order. Each is taken while both tokens have fewer than their share, to the nearest
    whole number.
    """
    most = np.rint(share * neighbours.sum(axis=1)).astype(np.int64)
    taken, held_out = np.zeros_like(most), np.zeros_like(neighbours)
    pairs = np.argwhere(np.triu(neighbours & neighbours.T, 1))
    for i, j in random.permutation(pairs):
        if taken[i] < most[i] and taken[j] < most[j]:
            held_out[i, j] = held_out[j, i] = True
            taken[[i, j]] += 1
    return held_out


def find_counted(hidden: Masks, held_out: Pairs) -> Masks:
    """Find hidden tokens [..., n] whose error counts in training: no visible token is held out from them."""
    return hidden & ~sees(hidden, held_out)


def find_seen(hidden: Masks, neighbours: Pairs, held_out: Pairs) -> Masks:
    """Find hidden tokens that see a neighbour, and none that is held out from them."""
    return find_counted(hidden, held_out) & sees(hidden, neighbours)


def find_new(hidden: Masks, neighbours: Pairs, held_out: Pairs) -> Masks:
    """Find hidden tokens that see a neighbour, and none but those that are held out from them."""
    return hidden & sees(hidden, held_out) & ~sees(hidden, neighbours & ~held_out)


def sees(hidden: Masks, pairs: Pairs) -> Masks:
    """Tell whether some token that stands in the relation to j is visible, [..., j]."""
    return (~hidden).astype(np.float32) @ pairs.T.astype(np.float32) > 0

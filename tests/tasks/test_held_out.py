"""Pairs held out of training: which they are, and where they are asked."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.extra.numpy import arrays

from stages.core.randomness.masks import draw_masks
from stages.core.settings.errors import InputError
from stages.tasks.bases.held_out import Pairs, draw_pairs, find_counted, find_new, find_seen, hold_out

TWINS = np.zeros((6, 6), np.bool_)  # tokens 0 and 1, each the other's only neighbour
TWINS[0, 1] = TWINS[1, 0] = True


def communities(size: int, count: int) -> Pairs:
    labels = np.repeat(np.arange(count), size)
    return np.asarray((labels[:, None] == labels) & ~np.eye(size * count, dtype=np.bool_))


@pytest.mark.parametrize("share", [0.25, 0.5, 0.75, 0.9])
def test_a_share_of_each_token_s_neighbours_is_held_out_in_pairs(share: float) -> None:
    neighbours = communities(9, 4)
    counts = []
    for seed in range(20):
        held_out = draw_pairs(neighbours, share, np.random.default_rng(seed))
        assert (held_out == held_out.T).all() and not (held_out & ~neighbours).any()
        counts.append(held_out.sum(axis=1))
    assert np.max(counts) == round(share * 8)
    assert np.mean(counts) > 0.9 * round(share * 8)
    assert len({each.tobytes() for each in counts}) > 1  # drawn anew by each stream


@settings(max_examples=50, deadline=None)
@given(arrays(np.bool_, (3, 5)), arrays(np.bool_, (5, 5)), arrays(np.bool_, (5, 5)))
def test_where_a_token_is_asked_is_as_defined(hidden: Pairs, neighbours: Pairs, among: Pairs) -> None:
    held_out = neighbours & among
    counted, seen, new = (
        find_counted(hidden, held_out),
        find_seen(hidden, neighbours, held_out),
        find_new(hidden, neighbours, held_out),
    )
    for t in range(3):
        visible = set(np.flatnonzero(~hidden[t]))
        for j in range(5):
            known, barred = set(np.flatnonzero(neighbours[j])), set(np.flatnonzero(held_out[j]))
            assert counted[t, j] == (hidden[t, j] and not visible & barred)
            assert seen[t, j] == (counted[t, j] and bool(visible & known))
            assert new[t, j] == (hidden[t, j] and bool(visible & barred) and not visible & known - barred)


def test_without_a_share_nothing_is_held_out() -> None:
    assert hold_out("network", TWINS, 0, np.ones((1, 6), np.bool_), np.random.default_rng(0)) == {}


def test_what_cannot_be_held_out_is_refused() -> None:
    random, masks = np.random.default_rng(0), draw_masks(400, 6, 0.5, np.random.default_rng(1))
    with pytest.raises(
        InputError, match=r"^network\.held_out: 0\.5 given, but token 2 has no true neighbour"
    ):
        hold_out("network", TWINS, 0.5, masks, random)
    halves, whole = communities(3, 2), communities(6, 1)
    assert set(hold_out("network", halves, 0.5, masks, random)) == {"neighbours", "held_out"}
    with pytest.raises(InputError, match=r"0\.2 of 2 neighbours or fewer holds out no pair, .* take 0\.5 or"):
        hold_out("network", halves, 0.2, masks, random)
    with pytest.raises(
        InputError, match=r"none of 400 training frames shows .* take network\.mask_fraction 0\.6"
    ):
        hold_out("network", whole, 0.5, masks, random)
    message = (
        r"none of 400 training frames hides token \d .*; take recordings\.mask_fraction 0\.8333, .* or held_"
    )
    with pytest.raises(InputError, match=message):
        hold_out("recordings", whole, 0.9, masks, random)
    with pytest.raises(InputError, match=r"and one has up to 5 neighbours; take held_out 0$"):
        hold_out("network", whole, 0.9, masks[:5], random)

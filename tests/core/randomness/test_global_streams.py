"""A draw from a global stream is noticed, and leaves no trace there."""

import random
from collections.abc import Callable

import numpy as np
import pytest
import torch

from stages.core.randomness.global_streams import watch_global_streams
from stages.core.randomness.initial import normal


@pytest.mark.parametrize(
    ("draw", "expected"),
    [
        (lambda: torch.rand(1), ["torch"]),
        (lambda: torch.manual_seed(0), ["torch"]),
        (lambda: np.random.normal(), ["numpy"]),  # noqa: NPY002
        (lambda: np.random.seed(0), ["numpy"]),  # noqa: NPY002
        (lambda: (torch.randperm(3), random.random()), ["torch", "Python"]),
        (lambda: normal(1, (2,), [np.random.default_rng(0)]), []),
    ],
)
def test_streams_that_moved_are_named_and_set_back(draw: Callable[[], object], expected: list[str]) -> None:
    draw()  # the state that it leaves is no hiding place
    states = torch.get_rng_state(), repr(np.random.get_state()), random.getstate()  # noqa: NPY002
    with watch_global_streams() as moved:
        draw()
    assert moved == expected
    assert torch.equal(torch.get_rng_state(), states[0])
    assert (repr(np.random.get_state()), random.getstate()) == states[1:]  # noqa: NPY002

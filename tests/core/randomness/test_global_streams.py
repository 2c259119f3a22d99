"""A change of what a process shares is refused by name; the streams are set back."""

# ruff: noqa: NPY002
import random
from collections.abc import Callable

import numpy as np
import pytest
import torch

from stages.core.model import normalisers
from stages.core.randomness.global_streams import SETTINGS, watch_globals
from stages.core.randomness.initial import normal
from stages.core.settings.errors import InputError


@pytest.mark.parametrize(
    ("draw", "stream"),
    [
        (lambda: torch.rand(1), "torch"),
        (lambda: torch.manual_seed(0), "torch"),
        (lambda: np.random.normal(), "numpy"),
        (lambda: np.random.seed(0), "numpy"),
        (lambda: random.random(), "Python"),
    ],
)
def test_a_stream_that_moved_is_named_and_set_back(draw: Callable[[], object], stream: str) -> None:
    draw()  # the state that it leaves is no hiding place
    states = torch.get_rng_state(), repr(np.random.get_state()), random.getstate()
    said = f"^mine: draws from the global stream of {stream} or seeds it, expected host.generators"
    with pytest.raises(InputError, match=said), watch_globals("mine"):
        draw()
    assert torch.equal(torch.get_rng_state(), states[0])
    assert (repr(np.random.get_state()), random.getstate()) == states[1:]


def test_streams_of_one_s_own_pass() -> None:
    with watch_globals("mine"):
        normal(1, (2,), [np.random.default_rng(0)])


def turn_deterministic() -> None:  # which tests that train leave on
    torch.use_deterministic_algorithms(not torch.are_deterministic_algorithms_enabled())


def turn_denormal() -> None:
    torch.set_flush_denormal(not SETTINGS["torch.set_flush_denormal"]())


THREADS, USUAL = torch.get_num_threads(), np.geterr()


@pytest.mark.parametrize(
    ("change", "undo", "said"),
    [
        (
            lambda: torch.set_default_dtype(torch.float64),
            lambda: torch.set_default_dtype(torch.float32),
            r"sets torch.set_default_dtype \(torch.float64, before torch.float32\), which all",
        ),
        (
            lambda: torch.set_num_threads(THREADS + 1),
            lambda: torch.set_num_threads(THREADS),
            rf"sets torch.set_num_threads \({THREADS + 1}, before {THREADS}\)",
        ),
        (
            lambda: torch.set_grad_enabled(False),
            lambda: torch.set_grad_enabled(True),
            r"sets torch.set_grad_enabled \(False, before True\)",
        ),
        (turn_deterministic, turn_deterministic, "sets torch.use_deterministic_algorithms"),
        (turn_denormal, turn_denormal, "sets torch.set_flush_denormal"),
        (lambda: np.seterr(all="raise"), lambda: np.seterr(**USUAL), "sets numpy.seterr"),
    ],
)
@pytest.mark.parametrize("fails", [False, True])
def test_a_setting_that_changes_is_named_whatever_fails_for_it(
    change: Callable[[], object], undo: Callable[[], object], said: str, fails: bool
) -> None:
    try:
        with pytest.raises(InputError, match=f"^mine: {said}"), watch_globals("mine"):
            change()
            if fails:
                raise RuntimeError
    finally:
        undo()


@pytest.mark.parametrize(
    ("holder", "name"), [(torch, "softmax"), (torch.Tensor, "__matmul__"), (normalisers, "l2")]
)
def test_a_function_that_is_replaced_is_named(
    holder: object, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        pytest.raises(InputError, match=rf"^mine: replaces [\w.]+\.{name}, which all"),
        watch_globals("mine"),
    ):
        monkeypatch.setattr(holder, name, lambda *_: None)

"""One set of parameters for tokens in any places: copied, drawn, trained, and asked for what it is not."""

from copy import deepcopy
from threading import Thread
from typing import Any

import numpy as np
import pytest
import torch
from plain_encodings import HEADS, WIDTH, N, draw, make
from torch import Tensor, nn

from stages.core.plain import Encoding
from stages.core.settings.errors import InputError


def test_gradients_reach_the_parameters_at_any_length() -> None:
    made, (q, k, v) = make("toeplitz_bias"), draw()
    for _ in range(2):  # whatever the first graph held is gone
        made.zero_grad()
        made.attend(q, k, v).sum().backward()  # type: ignore[no-untyped-call]
        (parameter,) = made.parameters()
        assert parameter.grad is not None and parameter.grad[..., 19 - 11 : 19 + 12].abs().min() > 0
        assert parameter.grad[..., : 19 - 11].abs().max() == 0


def test_an_encoding_is_copied_saved_and_loaded_as_any_module() -> None:
    made, (q, k, v) = make("toeplitz_bias", seed=None), draw()
    before = made.attend(q, k, v)
    assert deepcopy(made).attend(q, k, v).equal(before)
    other = make("toeplitz_bias", seed=None)
    other.load_state_dict(made.state_dict())
    assert other.attend(q, k, v).equal(before)
    assert make("rope_nd", places=np.ones((1, 2))).state_dict().keys() == {"seed"}


def test_draws_follow_torchs_generator_or_a_seed() -> None:
    def drawn(**seed: Any) -> Tensor:
        return Encoding("learned", width=WIDTH, heads=HEADS, **seed).inner.get_parameter("tables")

    torch.manual_seed(1)
    first, second = drawn(), drawn()
    torch.manual_seed(1)
    assert drawn().equal(first) and not first.equal(second) and drawn(seed=3).equal(drawn(seed=3))


def test_a_first_call_without_gradients_spoils_no_training() -> None:
    made, (q, k, v) = make("deberta"), draw()
    with torch.inference_mode():
        made.attend(q, k, v)
    made.attend(q, k, v).sum().backward()  # type: ignore[no-untyped-call]
    assert all(parameter.grad is not None for parameter in made.parameters())


def make_with(table: Tensor) -> Encoding:
    """Make an encoding whose table is replaced by one of other axes."""
    made = make("learned")
    made.inner.tables = nn.Parameter(table)
    return made


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: Encoding("rope", width=63, heads=4), "width 63 given, expected a multiple of the 4 heads"),
        (lambda: Encoding("ropee", width=64, heads=4), "posenc.scheme: 'ropee' given, expected rope"),
        (lambda: Encoding("rope", width=64, heads=4, fracton=1), r"posenc.fracton.*did you mean fraction\?"),
        (
            lambda: make("learned").table(21),
            "21 tokens given, more than its tables .* are for; make it with more",
        ),
        (lambda: make("learned").table(), "no places given, expected how many tokens"),
        (lambda: make("rope").rotate(*draw()[:2], [1, 2]), "places of 2 tokens given, expected those of 12"),
        (
            lambda: make("rope").rotate(*torch.ones(2, 1, N, HEADS, 16)),
            r"expected \[B, 4, m, 16\]",
        ),
        (
            lambda: make("rope").rotate(*torch.ones(2, 1, HEADS, N, 32)),
            "other heads or head_width",
        ),
        (lambda: make("alibi").bias(draw(13)[0], draw(12)[1]), "m <= n, as queries are the last of the keys"),
        (lambda: make("learned").table(torch.arange(N)[None]), r"shape \(1, 12\) given.*give places\[0\]"),
        (
            lambda: make("rope").rotate(*draw()[:2], torch.arange(N) - torch.tensor([[0], [3]])),
            r"shape \(2, 12\) given, .* its rows differ, so call for each example i with q\[i:i\+1\]",
        ),
        (
            lambda: make("rope").rotate(*draw()[:2], np.ones((N, 1))),
            "rope counts along a sequence, but",
        ),
        (
            lambda: make("tape").table(torch.tensor([[7], [9]])),
            "tape counts along a sequence, but coordinates given, expected 2 alone",
        ),
        (
            lambda: make("rope_scaled").rotate(*draw()[:2], np.indices((3, 4)).reshape(2, -1).T),
            "rope_scaled counts along a sequence, but coordinates given",
        ),
        (lambda: make("shaw", places=np.ones((N, 2))), "shaw counts along a sequence, but coordinates given"),
        (
            lambda: make("alibi").attend(*draw()[:2], draw()[2][:, :3]),
            "3 heads given to serve 4 of queries, expected a number that divides 4",
        ),
        (
            lambda: make("alibi").attend(*draw(), block=1),
            "block 1 given, expected one of 1",
        ),
        (
            lambda: make("xpos").rotate(*draw()[:2], np.arange(N) + 300_000),
            "xpos: place 300011 is too far along for torch.float64",
        ),
        (
            lambda: make_with(torch.zeros(20, WIDTH)).table(4),
            r"learned: tables of shape \(20, 64\) given, expected 4 axes, as in \(1, 1, 4, 64\); write",
        ),
        (lambda: make("rope").table([-1, 0]), "-1 given, expected whole numbers from 0 on"),
        (
            lambda: make("rope").table(np.array([0.5, 1.5])),
            r"places of float64 and shape \(2,\) given, expected whole",
        ),
    ],
)
def test_mistakes_are_one_line(wrong: Any, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        wrong()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("scheme", "name"), [("alibi", "slopes"), ("rope", "angles"), ("sinusoidal_1d", "fixed")]
)
def test_what_is_made_anew_for_places_cannot_be_edited(scheme: str, name: str) -> None:
    made, (q, k, v) = make(scheme), draw()
    with pytest.raises(AttributeError, match=name):
        made.inner.get_buffer(name).mul_(2)
    setattr(made.inner, name, torch.ones(1))
    with pytest.raises(InputError, match=f"inner.{name} was set, which is made anew"):
        made.table(N) if scheme == "sinusoidal_1d" else made.attend(q, k, v)


def test_places_that_take_gradients_are_refused() -> None:
    places, (q, k, _) = torch.rand(N, 2, requires_grad=True), draw()
    made = make("rope_nd", places=places.detach())
    with pytest.raises(InputError, match=r"places that take gradients given.*places\.detach"):
        made.rotate(q, k, places)


def test_another_thread_changes_no_tensor() -> None:
    made, (q, k, _) = make("t5_bias"), draw()

    def ask() -> None:
        with torch.no_grad():
            made.bias(q, k)

    with made.at(made.stand(N)) as scheme:
        thread = Thread(target=ask)
        thread.start()
        thread.join()
        assert scheme.get_buffer("bias").requires_grad

"""What must hold of schemes inside attention whatever their formula."""

import numpy as np
import pytest
import torch
from relative import (
    CASES,
    CAUSAL,
    PER_BLOCK,
    Settings,
    inputs,
    make_encoding,
    make_shape,
    output,
    randomise,
    square_lattice,
)
from torch import Tensor

from stages.encodings.interface import Shape, create
from stages.model.attention import ALL, attend
from stages.parameters.params import Configuration
from stages.positions.positions import Positions
from stages.randomness.streams import Replicates

OF_INDICES = [case for case in CASES if case[0] != "rope_nd"]
every_case = pytest.mark.parametrize(("scheme", "settings"), CASES)
SHAPE = make_shape()
QKV = inputs(SHAPE)


def assert_close(actual: Tensor, expected: Tensor) -> None:
    torch.testing.assert_close(actual, expected, rtol=1e-11, atol=1e-11)


@torch.no_grad()
@pytest.mark.parametrize(("scheme", "settings"), OF_INDICES)
def test_a_shift_of_all_indices_changes_nothing(scheme: str, settings: Settings) -> None:
    shapes = make_shape(first=0), make_shape(first=-5)
    unshifted, shifted = (randomise(make_encoding(scheme, settings, shape)).double() for shape in shapes)
    assert_close(output(shifted, QKV), output(unshifted, QKV))


@torch.no_grad()
@pytest.mark.parametrize(("scheme", "settings"), OF_INDICES)
def test_equal_tokens_have_logits_of_the_offset_alone(scheme: str, settings: Settings) -> None:
    if scheme == "cope":
        settings = {"max_position": 100}
    encoding = randomise(make_encoding(scheme, settings)).double()
    q, k, v = (part[..., :1, :].expand_as(part) for part in QKV)
    logits = []
    attend(q, k, v, ALL, lambda b: logits.append(b) or b.exp(), encoding, 1)  # type: ignore[func-returns-value]
    assert_close(logits[0][..., 1:, 1:], logits[0][..., :-1, :-1])


@torch.no_grad()
@every_case
def test_another_example_never_changes_an_output(scheme: str, settings: Settings) -> None:
    encoding = randomise(make_encoding(scheme, settings)).double()
    changed = tuple(part.clone() for part in QKV)
    for part in changed:
        part[:, 1] += torch.randn_like(part[:, 1])
    q, k, v = changed
    assert_close(output(encoding, (q, k, v))[:, 0], output(encoding, QKV)[:, 0])
    assert not torch.allclose(output(encoding, (q, k, v))[:, 1], output(encoding, QKV)[:, 1])


@torch.no_grad()
@every_case
def test_only_causal_schemes_are_blind_to_what_comes(scheme: str, settings: Settings) -> None:
    encoding = randomise(make_encoding(scheme, settings)).double()
    q, k, v = (part.clone() for part in QKV)
    for part in (q, k, v):
        part[..., 9:, :] += torch.randn_like(part[..., 9:, :])
    before, after = output(encoding, QKV)[..., :9, :], output(encoding, (q, k, v))[..., :9, :]
    assert torch.equal(before, after) == (scheme in CAUSAL)


@torch.no_grad()
@every_case
def test_a_replica_is_the_same_alone(scheme: str, settings: Settings) -> None:
    stacked, alone = (
        make_encoding(scheme, settings, numbers=range(3)),
        make_encoding(scheme, settings, numbers=range(2, 3)),
    )
    q, k, v = (part.float() for part in inputs(SHAPE, replicas=3))
    expected = output(alone, (q[2:], k[2:], v[2:]))
    torch.testing.assert_close(output(stacked, (q, k, v))[2:], expected, rtol=1e-5, atol=1e-6)


@every_case
def test_replicas_have_parameters_of_their_own_and_share_buffers(scheme: str, settings: Settings) -> None:
    encoding = make_encoding(scheme, settings, numbers=range(3))
    assert all(len(parameter) == 3 for parameter in encoding.parameters())
    assert all(len(buffer) == 1 for buffer in encoding.buffers())


@torch.no_grad()
@every_case
def test_blocks_differ_where_they_have_parameters_of_their_own(scheme: str, settings: Settings) -> None:
    encoding = randomise(make_encoding(scheme, settings)).double()
    first, second = output(encoding, QKV, block=0), output(encoding, QKV, block=1)
    assert torch.equal(first, second) == (scheme not in PER_BLOCK)


@pytest.mark.parametrize("scheme", ["rope", "rope_nd"])
def test_rotations_keep_norms(scheme: str) -> None:
    x = QKV[0]
    rotated = make_encoding(scheme, {}).rotate(0, x, ALL)
    assert_close(rotated.norm(dim=-1), x.norm(dim=-1))
    assert not torch.allclose(rotated[..., 1:, :], x[..., 1:, :])


def test_a_fraction_rotates_the_first_columns_as_the_whole_does() -> None:
    whole, part = (make_encoding("rope", {"fraction": f}).rotate(0, QKV[0], ALL) for f in (1.0, 0.67))
    assert torch.equal(part[..., :4], whole[..., :4])
    assert torch.equal(part[..., 4:], QKV[0][..., 4:])


def test_rope_nd_ignores_where_and_how_large_the_lattice_is() -> None:
    def rotate(coordinates: np.ndarray) -> Tensor:
        generators = Replicates(0, "test", range(2)).generators("encoding")
        positions = Positions(16, coordinates=coordinates)
        return create(Configuration("pe", "rope_nd", {}), positions, SHAPE, generators).rotate(0, QKV[0], ALL)

    lattice = square_lattice(16).coordinates
    assert lattice is not None
    assert_close(rotate(lattice * 17.5 - 60), rotate(lattice))


@torch.no_grad()
def test_alibi_is_symmetric_under_reflection() -> None:
    encoding = make_encoding("alibi", {})
    q, k, v = (part.flip(-2) for part in QKV)
    assert_close(output(encoding, (q, k, v)).flip(-2), output(encoding, QKV))


@torch.no_grad()
@pytest.mark.parametrize(("scheme", "simpler"), [("urpe", "toeplitz_bias"), ("cope", "causal_none")])
def test_a_scheme_starts_as_a_simpler_one(scheme: str, simpler: str) -> None:
    first, second = (output(make_encoding(name, {}).double(), QKV) for name in (scheme, simpler))
    assert_close(first, second)


@torch.no_grad()
@pytest.mark.parametrize(("scheme", "parameter"), [("shaw", "keys"), ("urpe", "bias"), ("t5_bias", "bias")])
def test_initial_values_have_the_stated_standard_deviation(scheme: str, parameter: str) -> None:
    values = dict(make_encoding(scheme, {"init_std": 0.5}, numbers=range(40)).named_parameters())[parameter]
    assert values.std().item() == pytest.approx(0.5, rel=0.05)


@torch.no_grad()
def test_schemes_fit_a_single_wide_head() -> None:
    shape = Shape(2, 16, 8, 1, 128, 16, tuple(range(16)), n_tables=0)
    for scheme, settings in CASES:
        outputs = output(make_encoding(scheme, settings, shape).double(), inputs(shape))
        assert outputs.shape == (2, 2, 1, 16, 16) and outputs.isfinite().all()

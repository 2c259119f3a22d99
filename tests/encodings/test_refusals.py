"""Schemes, settings and positions that are refused, each with one line."""

import math

import pytest
from relative import Settings, make_encoding, make_shape

from stages.encodings.interface import DoesNotFit, Shape, create, resolve
from stages.parameters.params import Configuration
from stages.positions.positions import Positions
from stages.randomness.streams import Replicates

MARKED = Shape(2, 16, 12, 3, 4, 4, tuple(range(-1, 16)), n_tables=0)


@pytest.mark.parametrize(
    ("scheme", "settings", "message"),
    [
        ("lerned", {}, r"^pe\.scheme: 'lerned' given, expected one of .*learned, .*none, "),
        (None, {}, r"^pe\.scheme: None given"),
        ("interface", {}, r"^pe\.scheme: 'interface' given"),
        ("catalogue", {}, r"^pe\.scheme: 'catalogue' given"),
        ("learned", {"init_std": -0.1}, r"^pe\.init_std: -0\.1 given, expected greater than or equal to 0"),
        ("learned", {"init_std": "x"}, r"^pe\.init_std: 'x' given, expected a valid number"),
        ("learned", {"init_std": math.nan}, r"^pe\.init_std: nan given, expected a finite number"),
        ("learned", {"sigma": 1}, r"^pe\.sigma: 1 given, but learned has no sigma \(it takes init_std\)"),
        ("sinusoidal_1d", {"init_std": 0.1}, r"^pe\.init_std: 0\.1 given, but sinusoidal_1d has no init_std"),
        ("laplacian", {"components": 0}, r"^pe\.components: 0 given, expected greater than or equal to 1"),
        ("random_walk", {"steps": 2.5}, r"^pe\.steps: 2\.5 given, expected a valid integer"),
        ("coordinates", {"components": 3}, r"^pe\.components: 3 given, but coordinates has no components"),
        ("rope", {"fraction": 0.0}, r"^pe\.fraction: 0\.0 given, expected greater than 0"),
        ("rope", {"fraction": 1.5}, r"^pe\.fraction: 1\.5 given, expected less than or equal to 1"),
        ("rope", {"base": 500.0}, r"^pe\.base: 500\.0 given, but rope has no base \(it takes fraction\)"),
        ("shaw", {"max_distance": 0}, r"^pe\.max_distance: 0 given, expected greater than or equal to 1"),
        ("shaw_key", {"max_distance": 2.5}, r"^pe\.max_distance: 2\.5 given, expected a valid integer"),
        (
            "music_transformer",
            {"init_std": -1},
            r"^pe\.init_std: -1 given, expected greater than or equal to 0",
        ),
        ("t5_bias", {"buckets": 2}, r"^pe\.buckets: 2 given, expected greater than or equal to 4"),
        ("t5_bias", {"buckets": 7}, r"^pe\.buckets: 7 given, expected a multiple of 2"),
        ("t5_bias", {"max_distance": 8}, r"^pe: .* given, expected a max_distance beyond the 8 distances"),
        ("deberta", {"max_distance": 0}, r"^pe\.max_distance: 0 given"),
        ("cope", {"max_position": 0}, r"^pe\.max_position: 0 given, expected greater than or equal to 1"),
        ("alibi", {"slope": 1}, r"^pe\.slope: 1 given, but alibi has no slope \(it takes nothing\)"),
    ],
)
def test_bad_configurations_are_named(scheme: str, settings: Settings, message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        resolve(Configuration("pe", scheme, settings))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("scheme", "message"),
    [
        ("rope_nd", "needs coordinates.* lattice networks, brain regions, the probe and the word"),
        (
            "sinusoidal_nd",
            "needs coordinates.* lattice networks, brain regions, the probe and the word",
        ),
        ("coordinates", "needs coordinates.* lattice networks, brain regions, the probe and the word"),
        ("laplacian", "needs the true graph.* network and the recordings"),
        ("random_walk", "needs the true graph.* network and the recordings"),
        ("connectivity_gradients", "needs functional connectivity.* network .* recordings"),
    ],
)
def test_positions_that_a_scheme_needs_are_named(scheme: str, message: str) -> None:
    generators = Replicates(0, "test", range(2)).generators("encoding")
    with pytest.raises(DoesNotFit, match=f"^{scheme} {message}"):
        create(Configuration("pe", scheme, {}), Positions(16), make_shape(), generators)


@pytest.mark.parametrize(
    ("scheme", "settings", "shape", "message"),
    [
        ("rope_nd", {}, MARKED, "1 marker token.* no coordinates; set markers to none"),
        (
            "rope_nd",
            {},
            make_shape(head_width=3),
            "heads of 3 columns given, expected at least 4, two for each",
        ),
        (
            "rope",
            {"fraction": 0.3},
            make_shape(),
            r"^rope: fraction 0\.3 of heads of 6 columns given, expected two",
        ),
    ],
)
def test_models_that_do_not_fit_are_named(
    scheme: str, settings: Settings, shape: Shape, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        make_encoding(scheme, settings, shape)

"""Settings and shapes that schemes inside attention refuse, each with one line."""

import pytest
from relative import CASES, Settings, made, shape_of

from stages.encodings.interface import DoesNotFit, Shape, create
from stages.parameters.params import Configuration
from stages.positions.positions import Positions
from stages.randomness.streams import Replicates

MARKED = Shape(2, 16, 12, 3, 4, 4, tuple(range(-1, 16)), n_tables=0)


@pytest.mark.parametrize(
    ("scheme", "settings", "message"),
    [
        ("rope", {"fraction": 0.0}, r"^pe\.fraction: 0\.0 given, expected greater than 0"),
        ("rope", {"fraction": 1.5}, r"^pe\.fraction: 1\.5 given, expected less than or equal to 1"),
        (
            "rope",
            {"fraction": 0.3},
            r"^rope: fraction 0\.3 of heads of 6 columns given, expected two columns",
        ),
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
        ("causal_none", {"init_std": 1}, r"^pe\.init_std: 1 given, but causal_none has no init_std"),
    ],
)
def test_bad_settings_are_named(scheme: str, settings: Settings, message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        made(scheme, settings)
    assert "\n" not in str(error.value)


def test_nothing_inside_attention_takes_a_place_for_tables() -> None:
    for scheme, settings in CASES:
        assert made(scheme, settings).table(0) is None


def test_rope_nd_needs_coordinates() -> None:
    generators = Replicates(0, "test", range(2)).generators("encoding")
    with pytest.raises(DoesNotFit, match="needs coordinates.* grid, lattice networks and brain regions"):
        create(Configuration("pe", "rope_nd", {}), Positions(16), shape_of(), generators)


def test_rope_nd_refuses_markers() -> None:
    with pytest.raises(ValueError, match="1 marker token.* no coordinates; set markers to none"):
        made("rope_nd", {}, MARKED)


def test_rope_nd_needs_two_columns_for_each_axis() -> None:
    with pytest.raises(ValueError, match=r"heads of 3 columns given, expected at least 4, two for each axis"):
        made("rope_nd", {}, shape_of(head_width=3))


def test_markers_have_offsets_too() -> None:
    for scheme, settings in CASES:
        if scheme != "rope_nd":
            made(scheme, settings, MARKED)

import numpy as np
import pytest
from matplotlib.figure import Figure

from stages.figures import similarity_maps
from stages.tasks.facts import Arrangement

COMMUNITIES = np.array([0, 1, 0, 1, 1])


RANDOM = np.random.default_rng(0)
SIMILARITY = {
    "network__true_communities": (COMMUNITIES[:, None] == COMMUNITIES).astype(float),
    "network__true_resistance_distance": np.eye(5),  # not one that is drawn
    **{f"network__{name}": RANDOM.random((5, 5)) for name in ("wide", "narrow", "middle", "fourth")},
    "network_order": np.array([0, 2, 1, 3, 4]),
    "network_groups": np.array(["community 0"] * 2 + ["community 1"] * 3),
    "probe__wide": np.eye(3),  # tokens in a row
}
SIGMAS = {
    "network": {"wide": 2.0, "middle": 0.2, "fourth": 1.0, "narrow": 0.02},
    "probe": {"wide": 2.0},
    "grid": {},
}


def test_small_middle_and_large_sigma_stand_beside_the_truth() -> None:
    figure = similarity_maps.draw(SIMILARITY, SIGMAS, "made up")
    *maps, _ = figure.axes
    assert [axes.get_title() for axes in maps] == [
        "learned, \u03c3 = 0.02",
        "learned, \u03c3 = 1",
        "learned, \u03c3 = 2",
        "true: communities",
    ]
    assert figure.texts[0].get_text() == "Simulated network"
    assert all(axes.images[0].get_clim() == (-1, 1) for axes in maps)  # one colour, one similarity


def test_groups_stand_together_parted_by_lines_and_named() -> None:
    first, _, _, truth, _ = similarity_maps.draw(SIMILARITY, SIGMAS, "made up").axes
    ordered = SIMILARITY["network__narrow"][np.ix_([0, 2, 1, 3, 4], [0, 2, 1, 3, 4])]
    np.testing.assert_array_equal(first.images[0].get_array(), ordered)
    np.testing.assert_array_equal(truth.images[0].get_array(), np.kron(np.eye(2), np.ones((3, 3)))[1:, 1:])
    assert [label.get_text() for label in first.get_yticklabels()] == ["community 0", "community 1"]
    assert first.get_yticks().tolist() == [0.5, 3] and not truth.get_yticks().size
    assert [line.get_ydata() for line in first.lines] == [[1.5, 1.5], [0, 1]]


@pytest.mark.parametrize(
    ("groups", "named"), [(["one"] + ["many"] * 40, ["many"]), ([f"region {n}" for n in range(41)], [])]
)
def test_a_group_without_room_is_not_named(groups: list[str], named: list[str]) -> None:
    axes = Figure().add_subplot()
    similarity_maps.draw_map(axes, np.eye(41), "made up", Arrangement(list(range(41)), groups), named=True)
    assert [label.get_text() for label in axes.get_yticklabels()] == named

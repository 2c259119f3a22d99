import numpy as np
from matplotlib.figure import Figure

from stages.figures import brain

SIMILARITY = {
    "recordings_coordinates": np.array([[-40.0, 20, 30], [-20, -80, 0], [20, -80, 0], [40, 20, 30]]),
    "recordings__true_functional": np.eye(4),
    "recordings__s002": np.ones((4, 4)),
}
NETWORKS = ["Default", "Visual", "Visual", "region 3"]
LAYOUTS = {"recordings__true_groups": np.array(NETWORKS)}
COMMUNITIES = {"recordings__s002": np.array([0, 1, 1, 0])}


def test_rows_are_networks_and_then_communities_by_sigma() -> None:
    sigmas = {"s100": 1.0, "s002": 0.02}  # one of them without tables
    first, second = brain.list_brains("recordings", SIMILARITY, LAYOUTS, COMMUNITIES, sigmas)
    assert first.groups == NETWORKS and first.title == "fMRI recordings: functional connectivity"
    assert second.title == "learned, \u03c3 = 0.02" and second.similarity is SIMILARITY["recordings__s002"]
    assert second.groups == ["community 1", "community 2", "community 2", "community 1"]


def test_places_in_a_plane_are_no_brain() -> None:
    flat = SIMILARITY | {"recordings_coordinates": SIMILARITY["recordings_coordinates"][:, :2]}
    assert not list(brain.list_brains("recordings", flat, LAYOUTS, COMMUNITIES, {"s002": 0.02}))


def test_regions_that_nothing_groups_are_drawn_alike() -> None:
    first, _ = brain.list_brains("recordings", SIMILARITY, {}, COMMUNITIES, {"s002": 0.02})
    assert first.groups == ["none"] * 4


def test_regions_are_where_they_are_and_coloured_by_network() -> None:
    sigmas = {"recordings": {"s002": 0.02}}
    figure = brain.draw(SIMILARITY, LAYOUTS, COMMUNITIES, sigmas, ["recordings"], "made up")
    above = [axes for axes in figure.axes if axes.collections][1]  # left, above, right; row by row
    places = np.asarray(above.collections[0].get_offsets())
    np.testing.assert_allclose(places, [[-40, 20], [-20, -80], [20, -80], [40, 20]])
    assert 0 < len(above.patches) < 10  # the brain's outlines, joined by look
    texts = [[text.get_text() for text in legend.get_texts()] for legend in figure.legends]
    assert texts == [["Visual", "none of these"], ["community 1", "community 2"]]


def test_of_many_regions_the_300_pairs_most_alike_are_joined() -> None:
    random = np.random.default_rng(0)
    places, alike = random.uniform(-50, 50, (200, 3)), random.uniform(-9, 1, (200, 200))
    row = brain.Row("made up", alike + alike.T, places, ["none"] * 200)
    figure = Figure()
    brain.draw_brain(figure, row, (0, 0, 1, 1))
    above = [axes for axes in figure.axes if axes.collections][1]
    lines = {frozenset(map(tuple, np.asarray(line.get_xydata()).tolist())) for line in above.lines}
    first, second = np.triu_indices(200, 1)
    most = np.argsort(-row.similarity[first, second])[:300]
    pairs = zip(places[first[most], :2].tolist(), places[second[most], :2].tolist(), strict=True)
    assert lines == {frozenset(map(tuple, pair)) for pair in pairs}

import numpy as np
import pandas as pd

from stages.figures import brain

REGIONS = pd.DataFrame(
    {
        "label": ["A_L", "A_R", "B_L", "B_R"],
        "yeo7": ["Visual", "Visual", "Default", np.nan],
        "x_mm": [-20.0, 20, -40, 40],
        "y_mm": [-80.0, -80, 20, 20],
        "z_mm": [0.0, 0, 30, 30],
    }
)
SIMILARITY = {
    "recordings_labels": np.array(["B_L", "A_L", "A_R", "B_R"]),
    "recordings__true_functional": np.eye(4),
    "recordings__s002": np.ones((4, 4)),
}
COMMUNITIES = {"recordings__s002": np.array([0, 1, 1, 0])}
NETWORKS = ["Default", "Visual", "Visual", "B_R"]


def test_rows_are_networks_and_then_communities_by_sigma() -> None:
    sigmas = {"s100": 1.0, "s002": 0.02}  # one of them without tables
    first, second = brain.brains(SIMILARITY, COMMUNITIES, NETWORKS, sigmas)
    assert first.of_regions == NETWORKS
    assert second.title == "learned, \u03c3 = 0.02"
    assert second.of_regions == ["community 1", "community 2", "community 2", "community 1"]


def test_regions_are_where_they_are_and_coloured_by_network() -> None:
    figure = brain.draw(SIMILARITY, COMMUNITIES, REGIONS, {"s002": 0.02}, "made up")
    above = [axes for axes in figure.axes if axes.collections][1]  # left, above, right; row by row
    places = np.asarray(above.collections[0].get_offsets())
    np.testing.assert_allclose(places, [[-40, 20], [-20, -80], [20, -80], [40, 20]])
    texts = [[text.get_text() for text in legend.get_texts()] for legend in figure.legends]
    assert texts == [["Visual", "none of these"], ["community 1", "community 2"]]

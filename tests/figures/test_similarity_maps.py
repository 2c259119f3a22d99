import numpy as np
import pandas as pd
import pytest

from stages.figures import similarity_maps
from stages.files.artifacts import Arrays

REGIONS = pd.DataFrame(
    {
        "label": ["A_L", "A_R", "B_L", "B_R", "C_L"],
        "hemisphere": ["L", "R", "L", "R", "L"],
        "yeo7": ["Limbic", "Visual", "Visual", "Default", np.nan],
    }
)


@pytest.fixture
def similarity() -> Arrays:
    random = np.random.default_rng(0)
    communities = np.array([0, 1, 0, 1, 1])
    return {
        "grid__true_same_line": np.eye(16),
        "grid__narrow": random.random((16, 16)),
        "grid__middle": random.random((16, 16)),
        "grid__wide": random.random((16, 16)),
        "network__true_communities": (communities[:, None] == communities).astype(float),
        "network__wide": random.random((5, 5)),
        "recordings__true_functional": random.random((5, 5)),
        "recordings_labels": np.array(["B_L", "A_R", "A_L", "C_L", "unknown"]),
    }


SIGMAS = dict.fromkeys(["grid", "network", "recordings"], {"wide": 2.0, "middle": 0.2, "narrow": 0.02})


def test_smallest_and_largest_sigma_stand_beside_the_truth(similarity: Arrays) -> None:
    figure = similarity_maps.draw(similarity, REGIONS, SIGMAS, "made up")
    titles = [axes.get_title(loc="left") or axes.get_title() for axes in figure.axes]
    assert titles[:3] == ["learned, \u03c3 = 0.02", "learned, \u03c3 = 2", "true: same_line"]
    assert titles[3:6] == ["learned, \u03c3 = 2", "true: communities", "true: functional"]
    np.testing.assert_array_equal(figure.axes[0].images[0].get_array(), similarity["grid__narrow"])


def test_communities_stand_together(similarity: Arrays) -> None:
    tokens, groups = similarity_maps.arrange("network", similarity, REGIONS)
    assert tokens == [0, 2, 1, 3, 4]
    assert groups == ["community 0"] * 2 + ["community 1"] * 3
    drawn = similarity_maps.draw(similarity, REGIONS, SIGMAS, "made up").axes[4].images[0].get_array()
    np.testing.assert_array_equal(drawn, np.kron(np.eye(2), np.ones((3, 3)))[1:, 1:])


def test_regions_stand_by_network_then_hemisphere(similarity: Arrays) -> None:
    tokens, groups = similarity_maps.arrange("recordings", similarity, REGIONS)
    assert tokens == [0, 1, 2, 4, 3]
    assert groups == ["Visual", "Visual", "Limbic", "none", "none"]


def test_grid_cells_stand_row_by_row(similarity: Arrays) -> None:
    tokens, groups = similarity_maps.arrange("grid", similarity, REGIONS)
    assert tokens == list(range(16))
    assert groups[3:5] == ["row 0", "row 1"]

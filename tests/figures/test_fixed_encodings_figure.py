import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes

from stages.figures import fixed_encodings

CLAIMS = pd.DataFrame(
    [
        (9, 4, "wavelength", 0, 6.3, 6.2),
        (9, 4, "wavelength", 1, 628.0, 629.0),
        (9, 4, "residual", -1, 3e-16, 0.0),
        (9, 4, "residual", 1, 2e-16, 0.0),
    ],
    columns=["n", "width", "kind", "at", "measured", "formula"],
)
ALIGNED = pd.DataFrame(
    [
        ("even_tokens", "narrow", 0, "all", "sinusoid_1d", "spearman_cosine", 0.5, 0.0, 0.01),
        ("even_tokens", "narrow", 1, "all", "sinusoid_1d", "spearman_cosine", 0.7, 0.0, 0.03),
        ("even_tokens", "narrow", 0, "0", "sinusoid_1d", "spearman_cosine", 9.0, 0.0, 0.9),
        ("even_tokens", "narrow", 0, "all", "index", "order_accuracy", 9.0, 0.0, 0.9),
    ],
    columns=["task", "encoding", "seed", "block", "reference", "measure", "value", "null_mean", "p_value"],
)
SIGMAS = {"even_tokens": {"wide": 1.0, "narrow": 0.1, "absent": 0.01}}


RANDOM = np.random.default_rng(0)
MAPS = {f"even_tokens__{name}": RANDOM.random((5, 5)) for name in ("wide", "narrow", "sinusoidal_1d")}


@pytest.fixture
def panels() -> list[Axes]:
    return fixed_encodings.draw(CLAIMS, ALIGNED, MAPS, SIGMAS, "made up").axes


def heights(axes: Axes) -> list[list[float]]:
    return [np.asarray(line.get_ydata()).tolist() for line in axes.lines]


def test_measured_stands_beside_formula(panels: list[Axes]) -> None:
    left, right = panels[:2]
    assert [6.3, 628.0] in heights(left) and [6.2, 629.0] in heights(left)
    assert heights(right) == [[3e-16, 2e-16]]
    band = right.patches[0].get_path().get_extents(right.patches[0].get_patch_transform())
    assert (band.y0, band.y1) == pytest.approx((2.0**-52, 2.0**-49))  # the spacing at 1 and at 8


def test_the_learned_table_of_smallest_sigma_stands_beside_the_sinusoid(panels: list[Axes]) -> None:
    _, _, sinusoid, learned, _ = panels
    assert (
        learned.get_title() == "Even tokens, n = 5\nlearned, \u03c3 = 0.1, 2 seeds\n\u03c1 = 0.60, max p 0.03"
    )
    np.testing.assert_array_equal(learned.images[0].get_array(), MAPS["even_tokens__narrow"])
    np.testing.assert_array_equal(sinusoid.images[0].get_array(), MAPS["even_tokens__sinusoidal_1d"])


def test_without_maps_the_figure_says_so() -> None:
    figure = fixed_encodings.draw(CLAIMS, ALIGNED.iloc[:0], {}, SIGMAS, "made up")
    assert len(figure.axes) == 2
    assert any("no table" in text.get_text() for text in figure.texts)

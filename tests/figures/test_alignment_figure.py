import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex

from stages.figures import alignment
from stages.figures.style import BLUE

ALIGNED = pd.DataFrame(
    [
        ("network", "narrow", 0, "all", "communities", "spearman", 0.8, 0.0, 0.001),
        ("network", "narrow", 1, "all", "communities", "spearman", 0.6, 0.0, 0.001),
        ("network", "focus", 0, "all", "communities", "spearman", 0.1, 0.0, 0.3),
        ("network", "narrow", 0, "0", "communities", "spearman", 9.0, 0.0, 0.001),
        ("network", "narrow", 0, "all", "communities", "pearson_cosine", 9.0, 0.0, 0.001),
        ("network", "sinusoidal_1d", 0, "all", "communities", "spearman", 9.0, 0.0, 0.001),
    ],
    columns=["task", "encoding", "seed", "block", "reference", "measure", "value", "null_mean", "p_value"],
)
SIGMAS = {"network": {"narrow": 0.02, "focus": 1.0}}
MEANS = [(0.02, 0.7), (1.0, 0.1)]


def test_means_are_joined_and_seeds_filled_where_significant() -> None:
    (axes,) = alignment.draw(ALIGNED, SIGMAS, "made up").axes
    assert axes.get_title() == "Simulated network: alignment with true positions, 2 seeds"
    legend = axes.get_legend()
    assert legend and [text.get_text() for text in legend.get_texts()] == ["communities"]
    np.testing.assert_allclose(np.asarray(axes.lines[1].get_xydata()), MEANS)
    (seeds,) = axes.collections
    np.testing.assert_allclose(np.asarray(seeds.get_offsets())[:, 1], [0.8, 0.6, 0.1])
    blue = BLUE.lower()
    assert [to_hex(tuple(colour)) for colour in np.asarray(seeds.get_facecolor())] == [blue, blue, "#ffffff"]


def test_noise_about_zero_is_not_blown_up() -> None:
    noise = ALIGNED.assign(value=0.01)
    low, high = alignment.draw(noise, SIGMAS, "made up").axes[0].get_ylim()
    assert high - low == pytest.approx(0.6)


def test_undefined_alignments_are_left_out() -> None:
    undefined = ALIGNED.assign(value=ALIGNED.value.where(ALIGNED.encoding != "narrow"))
    (seeds,) = alignment.draw(undefined, SIGMAS, "made up").axes[0].collections
    assert len(np.asarray(seeds.get_offsets())) == 1

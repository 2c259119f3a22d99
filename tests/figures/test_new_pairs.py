"""The panel of new and seen pairs."""

import numpy as np
import pytest
from made_pairs import NEW, make_pairs
from made_studies import points
from matplotlib.figure import Figure

from stages.figures.by_sigma import LEARNED_AT, RANDOM_AT
from stages.figures.new_pairs import draw_new_pairs, has_new_pairs


def test_lines_are_means_and_dots_are_models_side_by_side() -> None:
    axes = Figure().subplots()
    draw_new_pairs(axes, make_pairs())
    models, new, of_random, random, seen, truth, without = map(points, axes.lines)
    assert len(models) == 2 * len(NEW) and len(of_random) == 2
    np.testing.assert_allclose(new, [[LEARNED_AT * float(at), mean] for at, mean in NEW.items()])
    np.testing.assert_allclose(seen[:, 1], 0.3)
    np.testing.assert_allclose(random, [[RANDOM_AT * 0.2, 0.44]])  # at the σ that was run
    np.testing.assert_allclose(truth[:, 1], 0.31)
    np.testing.assert_allclose(without[:, 1], 0.7)
    words = {text.get_text() for text in axes.texts}
    assert {"learned, new pairs", "learned, seen pairs", "without tables .70"} <= words
    assert "true communities\ngiven .31" in words and "1 = mean guessed" in axes.get_ylabel()
    assert axes.get_ylim()[0] < 0.3 and axes.get_ylim()[1] > 0.7


@pytest.mark.parametrize("metric", ["new", "seen"])
def test_both_kinds_of_pairs_are_needed(metric: str) -> None:
    pairs = make_pairs()
    assert has_new_pairs(pairs) and not has_new_pairs(pairs[pairs.metric != metric])


def test_two_sigma_of_both_kinds_are_needed() -> None:
    pairs = make_pairs()
    assert not has_new_pairs(pairs[pairs["at"] == "0.2"])
    partly = pairs[(pairs.metric == "new") | (pairs["at"] != "2")]
    assert has_new_pairs(partly)
    draw_new_pairs(Figure().subplots(), partly)

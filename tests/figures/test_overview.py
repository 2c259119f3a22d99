from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from made_maps import make_maps
from made_pairs import make_pairs
from made_published import PUBLISHED
from made_studies import image, list_faint, make_scores, make_study, points
from matplotlib.figure import Figure as Page
from matplotlib.text import Text

from stages.figures import overview, style
from stages.figures.by_sigma import LEARNED_AT, RANDOM_AT
from stages.figures.maps import BLUES
from stages.studies.schema import Figure

SCORES = make_scores(
    {
        ("learned", "0.2"): [0.9, 0.8],
        ("learned", "1"): [0.8, 0.8],
        ("learned", "2"): [0.2, 0.4],
        ("twice", "0.2"): [0.1],
        ("random", ""): [0.51, 0.53],
        ("sinusoidal_nd", ""): [0.95],
    }
)
STUDY = make_study(
    Figure("lines"), cells={**make_study(Figure("lines")).cells, "twice": {"scheme": "learned"}}
)

pytestmark = pytest.mark.usefixtures("house_style")
ALIGNED = make_scores({("learned", "0.2"): [0.3, 0.4], ("learned", "2"): [0.1]})
ALIGNED = ALIGNED.assign(split="tables", metric="alignment")
UNTRAINED = make_scores({("drawn", "0.2"): [33.0, 34.0], ("drawn", "0.3"): [35.0], ("zeros", ""): [35.8]})
UNTRAINED = UNTRAINED.assign(split="tables", metric="procrustes")
PAIRS = make_pairs()
MAPS = make_maps("grid") | make_maps("network") | make_maps("recordings")
ERRORS = make_scores(
    {("learned", "0.2"): [0.44, 0.46], ("random", ""): [0.5], ("floor_gaussian", ""): [0.42]}
)
MAPPED = pd.concat([ALIGNED, ERRORS.assign(task="recordings", metric="mse")])


def draw(maps: dict[str, np.ndarray] = MAPS) -> Page:
    return overview.draw(STUDY, SCORES, PUBLISHED, UNTRAINED, PAIRS, STUDY, MAPPED, maps)


def test_ours_theirs_what_is_never_trained_and_chance() -> None:
    left = draw().axes[0]
    theirs, random, of_random, models, means, sinusoid, chance = map(points, left.lines)
    np.testing.assert_allclose(theirs, [[0.2, 0.9], [0.3, 0.8]])
    np.testing.assert_allclose(
        random, [[RANDOM_AT * 0.2, 0.51], [RANDOM_AT * 0.2, 0.53]]
    )  # σ of the cell's own
    np.testing.assert_allclose(of_random, [[RANDOM_AT * 0.2, 0.52]])
    assert len(models) == 6  # of the first cell that has a σ
    np.testing.assert_allclose(means, np.array([[0.2, 0.85], [1, 0.8], [2, 0.3]]) * [LEARNED_AT, 1])
    assert sinusoid[0, 1] == 0.95 and chance[0, 1] == 0.25
    words = {text.get_text() for text in left.texts}
    assert {"random tables,\nnever trained", "fixed 2-D sinusoid .95", "\u25cb in the paper"} <= words


def test_published_accuracy_stands_against_the_distance_of_tables_as_drawn() -> None:
    panel = draw().axes[1]
    np.testing.assert_allclose(points(panel.lines[0]), [[33.5, 0.9], [35, 0.8]])
    assert not panel.yaxis_inverted() and not panel.xaxis_inverted()
    words = [text.get_text() for text in panel.texts]
    assert {"rank correlation \u22121.00,\n2 values of σ", "σ 0.3"} <= set(words)


def test_errors_on_fmri_stand_beside_linear_regression() -> None:
    panel = draw().axes[3]
    _, learned, _, random, regression = map(points, panel.lines)
    np.testing.assert_allclose(learned, [[LEARNED_AT * 0.2, 0.45]])
    np.testing.assert_allclose(random, [[RANDOM_AT * 0.2, 0.5]])
    assert regression[0, 1] == 0.42
    assert "linear regression .42" in {text.get_text() for text in panel.texts}


def test_three_maps_for_each_task_and_one_bar_of_colours() -> None:
    page = draw()
    bar, first = page.axes[4:6]
    assert sum(len(axes.images) for axes in page.axes) == 1 + 9
    assert bar.images[0].get_cmap() == BLUES and "mean of 1 or 2 models" in page.texts[2].get_text()
    assert image(first)[0, 1] == MAPS["grid__0_2__final"][0, 1]
    titles = [axes.get_title() for axes in page.axes[5:8]]
    assert titles == ["learned,\nσ 0.2", "learned,\nσ 2", "truth: same\nrow or column"]
    below = [axes.get_xlabel().partition("\n") for axes in page.axes[5:8]]
    assert [alignment for *_, alignment in below] == ["alignment .35", "alignment .10", ""]
    assert " to " in below[0][0] and below[2][0] == ""  # the range of its colours


def test_words_are_readable_and_neither_overlap_nor_leave_the_page() -> None:
    page = draw()
    assert list_faint(page) == []
    texts = [*page.texts, *(text for axes in page.axes[:4] for text in axes.texts)]
    boxes = [Text.get_window_extent(text) for text in texts]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    assert all(page.bbox.containsx(box.x0) and page.bbox.containsx(box.x1) for box in boxes)


@pytest.mark.parametrize("maps", [{}, make_maps("recordings")])
def test_what_has_not_run_is_said(maps: dict[str, np.ndarray], tmp_path: Path) -> None:
    page = overview.draw(STUDY, SCORES[:0], None, UNTRAINED[:0], PAIRS[:0], None, ALIGNED, maps)
    said = [text.get_text() for axes in page.axes for text in axes.texts]
    assert said.count("not run") == (10 if maps else 13)
    style.write(page, tmp_path / "overview.png")

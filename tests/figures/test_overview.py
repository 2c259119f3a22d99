from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from made_maps import make_maps
from made_pairs import make_pairs
from made_published import PUBLISHED
from made_studies import image, make_scores, make_study, points
from matplotlib.text import Text

from stages.figures import overview, style
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


def test_ours_theirs_and_what_is_never_trained() -> None:
    left = overview.draw(STUDY, SCORES, PUBLISHED, UNTRAINED, PAIRS, MAPS, ALIGNED).axes[0]
    theirs, random, of_random, seeds, means = map(points, left.lines[:5])
    np.testing.assert_allclose(theirs, [[0.2, 0.9], [0.3, 0.8]])
    np.testing.assert_allclose(random, [[0.2, 0.51], [0.2, 0.53]])  # a σ of the cell's own
    np.testing.assert_allclose(of_random, [[0.2, 0.52]])
    assert len(seeds) == 6  # of the first cell that has a σ
    np.testing.assert_allclose(means, [[0.2, 0.85], [1, 0.8], [2, 0.3]])
    words = {text.get_text() for text in left.texts}
    assert {"random tables,\nnever trained", "fixed sinusoid .95", "published"} <= words


def test_distances_of_tables_as_drawn_stand_under_published_accuracies() -> None:
    page = overview.draw(STUDY, SCORES, PUBLISHED, UNTRAINED, PAIRS, MAPS, ALIGNED)
    drawn, theirs = page.axes[1:3]
    np.testing.assert_allclose(points(drawn.lines[1]), [[0.2, 33.5], [0.3, 35]])
    np.testing.assert_allclose(points(theirs.lines[0]), [[0.2, 0.9], [0.3, 0.8]])
    assert drawn.yaxis_inverted() and "ρ = −1" in theirs.texts[0].get_text()


def test_three_maps_for_each_task() -> None:
    page = overview.draw(STUDY, SCORES, PUBLISHED, UNTRAINED, PAIRS, MAPS, ALIGNED)
    assert sum(len(axes.images) for axes in page.axes) == 9
    assert image(page.axes[4])[0, 1] == MAPS["grid__0_2__final"][0, 1]
    assert [axes.get_title() for axes in page.axes[4:7]] == ["σ 0.2", "σ 2", "truth"]
    assert [axes.get_xlabel() for axes in page.axes[4:7]] == ["alignment .35", "alignment .10", ""]


def test_words_neither_overlap_nor_leave_the_page() -> None:
    page = overview.draw(STUDY, SCORES, PUBLISHED, UNTRAINED, PAIRS, MAPS, ALIGNED)
    page.draw_without_rendering()
    texts = [*page.texts, *(text for axes in page.axes[:4] for text in axes.texts)]
    boxes = [Text.get_window_extent(text) for text in texts]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    assert all(page.bbox.containsx(box.x0) and page.bbox.containsx(box.x1) for box in boxes)
    assert min(float(text.get_fontsize()) for text in texts) >= 7


@pytest.mark.parametrize("maps", [{}, make_maps("recordings")])
def test_what_has_not_run_is_said(maps: dict[str, np.ndarray], tmp_path: Path) -> None:
    page = overview.draw(STUDY, SCORES[:0], None, UNTRAINED[:0], PAIRS[:0], maps, ALIGNED)
    said = [text.get_text() for axes in page.axes for text in axes.texts]
    assert said == ["not run"] * (9 if maps else 12)
    style.write(page, tmp_path / "overview.png")

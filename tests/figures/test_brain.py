import numpy as np
import pytest
from made_maps import make_maps
from made_studies import list_faint
from matplotlib.colors import to_hex

from stages.figures import brain

pytestmark = pytest.mark.usefixtures("house_style")

MAPS = make_maps("recordings", order=[2, 0, 1, 3], groups=["Visual", "Visual", "Limbic", "Limbic"])


def test_three_rows_of_regions_where_they_are_coloured_by_system() -> None:
    page = brain.draw(MAPS)
    titles = [text.get_text() for text in page.texts]
    assert titles[:3] == ["connectivity of the recordings", "learned table, σ 0.2", "learned table, σ 2"]
    views = [axes for axes in page.axes if axes.collections]  # left, above, right; row by row
    assert len(views) == 9
    places = np.asarray(views[1].collections[0].get_offsets())
    np.testing.assert_allclose(places, MAPS["recordings__coordinates"][:, :2])
    colours = [to_hex(colour) for colour in views[1].collections[0].get_facecolor()]  # type: ignore[arg-type]
    visual = page.texts[titles.index("Visual") - 1]  # the dot before its name
    assert colours[2] == colours[0] == str(visual.get_color()).lower() != colours[1]
    assert set(list_faint(page)) <= {visual.get_text()}


def test_places_in_a_plane_are_no_brain() -> None:
    flat = MAPS | {"recordings__coordinates": np.zeros((4, 2))}
    assert not brain.draw(flat).axes and not brain.draw({}).axes


def test_only_regions_that_act_alike_are_joined() -> None:
    similarity = np.eye(4)
    similarity[0, 1] = similarity[1, 0] = -0.9  # opposite, not alike
    similarity[2, 3] = similarity[3, 2] = 0.5
    page = brain.draw(MAPS | {"recordings__true": similarity})
    _, above, *_ = [axes for axes in page.axes if axes.collections]
    (line,) = above.lines
    ends = np.sort(np.asarray(line.get_xydata()), axis=0)
    np.testing.assert_allclose(ends, np.sort(MAPS["recordings__coordinates"][2:, :2], axis=0))

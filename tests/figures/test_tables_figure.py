"""Figures of fetched tables: what is shown as alike, and what as half-way."""

import numpy as np
import pytest
from made_studies import image, list_faint, points
from made_tables import MAPS, make_scores
from small_studies import TABLES, make_study

from stages.figures.colours import GREY
from stages.figures.tables import draw

pytestmark = pytest.mark.usefixtures("house_style")


def test_maps_lie_beside_their_truth_and_charts_below() -> None:
    study = make_study(**TABLES, tasks=[], cells={})
    figure = draw(study, make_scores(), MAPS)
    titles = [axes.get_title("left") for axes in figure.axes]
    shown = dict(zip(titles, figure.axes, strict=True))
    assert (
        image(shown["its first 48 places"]).shape == (48, 48)
        and np.isnan(np.diag(image(shown["one map"]))).all()
    )
    truth = image(shown["truth: a square"])  # of the patch that the first map is of, at row 2 and column 3
    assert np.isnan(truth[2, 3]) and truth[2, 2] == truth[1, 3] == truth.max(
        initial=0, where=~np.isnan(truth)
    )
    fall = shown["How fast rows become unlike"]
    assert [text.get_text() for text in fall.texts] == ["one: half-way after 2"]  # of tables on a line
    diamond = next(line for line in fall.lines if line.get_marker() == "D")
    np.testing.assert_allclose(points(diamond), np.array([[1.501, 0.451]]))
    assert [text.get_text() for text in shown["Alignment with true distances"].texts] == ["0.70"] * 3
    error = shown["Error of a place read from a row"]
    places = {line.get_color(): points(line)[0, 0] for line in error.lines if line.get_marker() == "o"}
    assert places[GREY] == pytest.approx(25.001)  # of shuffled rows
    assert {round(place, 3) for colour, place in places.items() if colour != GREY} == {2.001}
    assert len(figure.axes) == 5 + 5 + 3 and list_faint(figure) == []


def test_nothing_fetched_is_said() -> None:
    study = make_study(**TABLES, tasks=[], cells={})
    assert len(draw(study, make_scores(), {}).texts) == 1

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from stages.figures import table_measures
from stages.figures.sigma_axis import Sigmas

ALIGNED = pd.DataFrame(
    [
        ("network", "all", "graph_distance", "cka", 9.0, 0.0),
        ("network", "all", "communities", "cka", 0.7, 0.0),
        ("network", "all", "communities", "procrustes", 0.6, 0.1),
        ("grid", "all", "sinusoid_2d", "cka", 9.0, 0.0),
        ("grid", "all", "same_line", "cka", -0.2, 0.0),
        ("network", "all", "index", "position_mae", 2.0, 4.0),
        ("network", "0", "index", "position_mae", 9.0, 1.0),
        ("network", "all", "index", "order_accuracy", 0.8, 0.5),
        ("grid", "all", "index", "position_mae", 9.0, 1.0),
        ("grid", "all", "coordinates", "position_mae", 0.3, 1.2),
        ("grid", "0", "content", "content_accuracy", 0.9, 0.2),
        ("grid", "0", "index", "position_accuracy", 0.4, 0.1),
        ("grid", "all", "index", "position_accuracy", 9.0, 0.1),
    ],
    columns=["task", "block", "reference", "measure", "value", "null_mean"],
).assign(encoding="focus", seed=0, p_value=0.01)
DESCRIBED = pd.DataFrame(
    [
        ("grid", "focus", 0, "all", "angle_deg", 40.0),
        ("grid", "focus", 0, "0", "angle_deg", 77.0),
        ("grid", "fixed", 0, "all", "angle_deg", 0.0),
        ("grid", "focus", 0, "all", "effective_rank", 9.0),
        ("grid", "fixed", 0, "all", "effective_rank", 3.0),
    ],
    columns=["task", "encoding", "seed", "block", "measure", "value"],
)
Draw = Callable[[pd.DataFrame, Sigmas, str], Figure]
SIGMAS = {"grid": {"focus": 0.1}, "network": {"focus": 0.1}}


def focus_by_title(figure: Figure) -> dict[str, list[float]]:
    """Heights of the marks of the focus in each panel that has a title."""

    def heights(axes: Axes) -> list[float]:
        marks = [line for line in axes.lines if line.get_marker() == "D"]
        return [float(height) for line in marks for height in np.asarray(line.get_ydata())]

    return {axes.get_title(): heights(axes) for axes in figure.axes if axes.get_title()}


DRAWN: dict[Draw, dict[str, object]] = {
    table_measures.draw_turned: {
        "Simulated network: kernel alignment, 1 seed": [0.7],
        "Simulated network: Procrustes, 1 seed": [0.6],
        "Latin-square puzzles: kernel alignment, 1 seed": [-0.2],
        "Latin-square puzzles: Procrustes, 0 seeds": [],
    },
    table_measures.draw_read_outs: {
        "Simulated network: absolute position, 1 seed": [0.5],
        "Simulated network: order of two tokens, 1 seed": [0.8],
        "Latin-square puzzles: absolute position, 1 seed": [pytest.approx(0.25)],
        "Latin-square puzzles: order of two tokens, 0 seeds": [],
    },
    table_measures.draw_read_back: {
        "Latin-square puzzles: content from x + P, 1 seed": [0.9],
        "Latin-square puzzles: position from x + P, 1 seed": [0.4],
    },
}


@pytest.mark.parametrize("draw", DRAWN)
def test_measures_are_of_the_right_reference_block_and_unit(draw: Draw) -> None:
    assert focus_by_title(draw(ALIGNED, SIGMAS, "made up")) == DRAWN[draw]


def test_turned_tables_stand_beside_the_reference_that_judges_the_task() -> None:
    figure = table_measures.draw_turned(ALIGNED, SIGMAS, "made up")
    assert "\ncommunities (network); same_line (grid).\n" in figure.texts[-1].get_text()
    assert min(axes.get_ylim()[0] for axes in figure.axes) < -0.2


def test_measures_stand_side_by_side_with_their_unit_and_null() -> None:
    place, null, below, _, order, *_ = table_measures.draw_read_outs(ALIGNED, SIGMAS, "made up").axes
    assert [text.get_text() for text in null.texts] == ["null  1.000"]
    assert place.get_ylabel() == "error / null's error"
    assert place.get_position().x1 < order.get_position().x0
    assert place.get_position().y0 > below.get_position().y1
    assert place.get_ylim() == pytest.approx((-0.042, 1.05))


@pytest.mark.parametrize(("p_value", "face"), [(0.05, "#D55E00"), (0.051, "white")])
def test_seeds_within_the_null_are_hollow(p_value: float, face: str) -> None:
    figure = table_measures.draw_read_back(ALIGNED.assign(p_value=p_value), SIGMAS, "made up")
    marks = [line for line in figure.axes[0].lines if line.get_marker() == "D" and np.size(line.get_ydata())]
    assert [line.get_markerfacecolor() for line in marks] == [face]


def test_travel_is_of_trained_tables_and_dimensions_of_all() -> None:
    figure = table_measures.draw_geometry(DESCRIBED, SIGMAS, "made up")
    assert focus_by_title(figure) == {
        "Latin-square puzzles: travel, 1 seed": [40.0],
        "Latin-square puzzles: dimensions, 1 seed": [9.0],
    }
    _, beside, _, other = figure.axes
    assert not beside.get_visible() and [text.get_text() for text in other.texts] == ["fixed  3.000"]

import numpy as np
import pandas as pd
import pytest
from made_published import PUBLISHED
from made_studies import list_faint, make_scores, make_study, points
from matplotlib.axes import Axes
from matplotlib.colors import to_hex

from stages.figures import lines
from stages.figures.colours import BLACK, BLUE, ORANGE
from stages.studies.schema import Figure

SCORES = make_scores(
    {
        ("learned", "0.02"): [0.4, 0.6],
        ("learned", "0.2"): [0.8, 0.9],
        ("learned", "2"): [0.5, 0.5],
        ("none", "0.02"): [0.1, 0.1],
        ("random", ""): [0.7, 0.8],
        ("sinusoidal_nd", ""): [0.6, 0.7],
        ("floor_gaussian", ""): [5.0],
        ("floor_trees", ""): [0.55],
        ("floor_zero", ""): [9.0],
    }
)

pytestmark = pytest.mark.usefixtures("house_style")


def draw_one(figure: Figure, scores: pd.DataFrame = SCORES, published: pd.DataFrame | None = None) -> Axes:
    (axes,) = lines.draw(make_study(figure), scores, published).axes
    return axes


def texts(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


def marks(axes: Axes, colour: str, size: float) -> list[list[float]]:
    """Return marks of a colour and size, as [x, y] by x."""
    drawn = [line for line in axes.lines if to_hex(line.get_color()) == colour.lower()]
    return sorted(np.concatenate([points(line) for line in drawn if line.get_markersize() == size]).tolist())


def test_seeds_and_means_stand_at_their_sigma() -> None:
    axes = draw_one(Figure("lines", cells=["learned"]))
    means = {x: y for x, y in marks(axes, BLUE, 4)}
    assert means == {0.02: 0.5, 0.2: 0.85, 2.0: 0.5}
    assert marks(axes, BLUE, 2) == [[0.02, 0.4], [0.02, 0.6], [0.2, 0.8], [0.2, 0.9], [2, 0.5], [2, 0.5]]


def test_what_has_no_axis_is_a_labelled_line() -> None:
    axes = draw_one(Figure("lines"))
    levels = {points(line)[0, 1] for line in axes.lines if line.get_linewidth() == 0.8}
    assert {0.65, 0.55, 5.0} <= levels
    assert {"fixed sinusoid .65", "trees baseline .55", "learned"} <= set(texts(axes))


def test_a_cell_that_says_its_own_sigma_is_a_mark_at_it() -> None:
    axes = draw_one(Figure("lines", cells=["random"]))
    assert marks(axes, ORANGE, 4) == [[0.2, 0.75]]
    assert texts(axes) == ["random, untrained σ 0.2: .75"]


def test_far_floors_are_left_out_but_the_gaussian() -> None:
    assert "\u2191 Gaussian baseline 5.00" in texts(draw_one(Figure("lines")))
    assert not any("mean" in text for text in texts(draw_one(Figure("lines"))))
    chosen = texts(draw_one(Figure("lines", cells=["learned", "floor_zero"])))
    assert "\u2191 mean 9.00" in chosen and not any("Gaussian" in text for text in chosen)


def test_floors_that_change_along_the_axis_are_a_line_where_cells_ran() -> None:
    floors = {("floor_zero", at): [value] for at, value in (("2", 0.9), ("0.02", 0.5), ("0.2", 0.6))}
    cells = {("learned", "0.02"): [0.4, 0.6], ("learned", "0.2"): [0.8, 0.9]}  # not yet at 2
    axes = draw_one(Figure("lines"), make_scores(floors | cells))
    dashed = [points(line).tolist() for line in axes.lines if line.get_linestyle() == "--"]
    assert [[0.02, 0.5], [0.2, 0.6]] in dashed and "mean" in texts(axes)
    draw_one(Figure("lines"), make_scores({**floors, ("learned", "1"): [0.4]}))  # where no floor is


def test_what_is_not_under_study_sets_no_limits() -> None:
    scores = pd.concat([SCORES, make_scores({("none", "0.2"): [-9.0, -9.0]})])
    axes = draw_one(Figure("lines"), scores)
    assert axes.get_ylim()[0] > -0.5 and "\u2193−9.00" in texts(axes)


def test_outliers_under_study_are_clipped_with_their_value() -> None:
    flat = {("learned", at): list(0.27 + 0.001 * np.arange(8)) for at in ("0.1", "0.2", "0.5", "1", "2")}
    low, high = draw_one(Figure("lines"), make_scores(flat | {("random", "0.02"): [0.43] * 4})).get_ylim()
    assert 0.25 < low < 0.27 and high < 0.31


def test_an_interval_of_few_seeds_is_seen_whole() -> None:
    seeds = [0.89, 0.90, 0.95]
    low, high = draw_one(Figure("lines"), make_scores({("learned", "0.02"): seeds})).get_ylim()
    half = 4.303 * np.std(seeds, ddof=1) / 3**0.5  # Student's t of two degrees of freedom
    assert low < np.mean(seeds) - half and np.mean(seeds) + half < high


def test_published_means_are_open_and_black() -> None:
    axes = draw_one(Figure("lines"), SCORES, PUBLISHED)
    along = marks(axes, BLACK, 3)
    assert along[:2] == [[0.2, 0.9], [0.3, 0.8]] and along[2][1] == 0.95
    open_ones = [line for line in axes.lines if line.get_markersize() == 3]
    assert {line.get_markerfacecolor() for line in open_ones} == {"white"}
    assert "fixed sinusoid, published" in texts(axes)


def test_a_panel_for_each_task_and_metric() -> None:
    alignment = SCORES[SCORES.cell == "learned"].assign(split="tables", metric="alignment")
    study = make_study(Figure("lines", metrics=["score", "alignment"]))
    page = lines.draw(study, pd.concat([SCORES, alignment]))
    assert list_faint(page) == []
    assert [axes.get_ylabel() for axes in page.axes] == [
        "validation accuracy\n(higher is better)",
        "alignment",
    ]


def test_what_diverged_is_left_out() -> None:
    lost = make_scores({("learned", "0.2"): [float("nan")] * 2, ("random", ""): [float("inf"), 0.5]})
    axes = draw_one(Figure("lines"), lost)
    assert texts(axes) == ["random, untrained σ 0.2: .50"]


def test_a_task_of_several_panels_begins_a_row() -> None:
    assert lines.arrange("aabbbcc", 2) == [0, 1, 2, 3, 4, 6, 7]
    assert lines.arrange("abc", 2) == [0, 1, 2]


def test_a_floor_of_other_data_stands_beside_nothing() -> None:
    floors = {("floor_gaussian", at): [value] for at, value in (("0.02", 0.4), ("0.2", 0.55), ("2", 0.45))}
    alone = make_scores(floors | {("learned", "0.02"): [0.3, 0.5]})
    figure = Figure("lines", cells=["learned", "floor_gaussian"])
    assert texts(draw_one(figure, alone)) == ["Gaussian baseline .40", "learned"]

import numpy as np
import pandas as pd
import pytest
from made_studies import make_study, points

from stages.figures import curves
from stages.studies.schema import Figure

pytestmark = pytest.mark.usefixtures("house_style")

COLUMNS = ["task", "cell", "at", "seed", "epoch", "split", "metric", "value"]
ROWS = [
    ("grid", cell, at, seed, epoch, "validation", "accuracy", value)
    for cell, at, seed, epoch, value in [
        ("random", "", 0, 100, 0.9),
        ("learned", "2", 0, 100, 0.2),
        ("learned", "2", 0, 150, 0.4),
        ("learned", "2", 1, 100, 0.6),  # ended early
        ("learned", "0.2", 0, 100, 0.8),
    ]
]


def test_panels_are_in_the_order_of_the_study_and_a_seed_that_ended_counts_with_its_last_value() -> None:
    page = curves.draw(make_study(Figure("curves")), pd.DataFrame(ROWS, columns=COLUMNS))
    titles = [axes.get_title(loc="left") for axes in page.axes]
    assert titles == ["learned σ 0.2", "learned σ 2", "random, untrained"]
    *seeds, mean = page.axes[1].lines
    assert [points(seed).tolist() for seed in seeds] == [[[100, 0.2], [150, 0.4]], [[100, 0.6]]]
    np.testing.assert_allclose(points(mean), [[100, 0.4], [150, 0.5]])


def test_a_seed_that_diverged_counts_in_no_mean() -> None:
    diverged = [*ROWS[1:4], ("grid", "learned", "2", 2, 100, "validation", "accuracy", 0.9)]
    diverged += [("grid", "learned", "2", 2, 150, "validation", "accuracy", np.nan)]
    (axes,) = curves.draw(make_study(Figure("curves")), pd.DataFrame(diverged, columns=COLUMNS)).axes
    np.testing.assert_allclose(points(axes.lines[-1]), [[100, 0.4], [150, 0.5]])


def test_cells_that_the_figure_names_are_shown_alone() -> None:
    named = make_study(Figure("curves", cells=["random"]))
    (axes,) = curves.draw(named, pd.DataFrame(ROWS, columns=COLUMNS)).axes
    assert axes.get_title(loc="left") == "random, untrained"

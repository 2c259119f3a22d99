import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes

from stages.figures import generalisation

SIGMAS = dict.fromkeys(["grid", "network"], {"focus": 0.1, "narrow": 0.02})
VALUES = {
    "network": {"narrow": [0.5, 0.52], "focus": [0.6, 0.62], "none": [0.8, 0.84], "floor_gaussian": [0.45]},
    "grid": {"narrow": [0.9, 0.8], "focus": [0.7, 0.6], "none": [0.25, 0.27]},
}
RUNS = pd.DataFrame(
    [
        (task, encoding, seed, "validation", "accuracy" if task == "grid" else "mse", value)
        for task, encodings in VALUES.items()
        for encoding, values in encodings.items()
        for seed, value in enumerate(values)
    ]
    + [("network", "none", 0, "test", "mse", 99.0), ("network", "none", 0, "validation", "r2", 99.0)],
    columns=["task", "encoding", "seed", "split", "metric", "value"],
)
PUBLISHED = pd.DataFrame(
    [
        ("learned", 0.5, 0.93, 0.02),
        ("learned", 1.0, 0.88, 0.02),
        ("sinusoidal_nd", np.nan, 0.97, 0.02),
    ],
    columns=["scheme", "init_std", "mean", "sd"],
)


@pytest.fixture
def panels() -> list[Axes]:
    return generalisation.draw(RUNS, {"grid": PUBLISHED}, {"grid": 0.25}, SIGMAS, "made up").axes


def drawn(axes: Axes) -> list[list[tuple[float, float]]]:
    return [list(map(tuple, np.asarray(line.get_xydata()).tolist())) for line in axes.lines]


def labels(axes: Axes) -> list[str]:
    return [text.get_text() for text in axes.texts]


def test_titles_say_the_score_and_its_direction(panels: list[Axes]) -> None:
    titles = [axes.get_title() for axes in panels[::2]]
    assert titles == [
        "Simulated network: validation mse (lower is better), 2 seeds",
        "Latin-square puzzles: validation accuracy (higher is better), 2 seeds",
    ]


def test_other_encodings_and_floors_are_labelled_with_their_means(panels: list[Axes]) -> None:
    assert set(labels(panels[1])) == {"none  0.820", "floor_gaussian  0.450"}
    assert [0.8, 0.84] in [[height for _, height in line] for line in drawn(panels[1])]


def test_grid_has_chance_and_published_values(panels: list[Axes]) -> None:
    assert set(labels(panels[3])) == {"chance  0.250", "none  0.260", "sinusoidal_nd (published)  0.970"}
    assert [(0.5, 0.93), (1.0, 0.88)] in drawn(panels[2])
    assert [(0.5, 0.93), (1.0, 0.88)] not in drawn(panels[0])


def test_without_published_values_and_sigmas_there_are_lines_of_encodings() -> None:
    figure = generalisation.draw(RUNS, {}, {"grid": 0.2}, {}, "made up")
    assert set(labels(figure.axes[1])) == {
        *("focus  0.610", "narrow  0.510", "none  0.820", "floor_gaussian  0.450")
    }
    assert {"chance  0.200", "none  0.260"} < set(labels(figure.axes[3]))
    assert not any("published" in text.get_text() for text in figure.legends[0].get_texts())

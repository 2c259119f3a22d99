from typing import Any

import pandas as pd
import pytest
from made_studies import make_scores, make_study, points

from stages.figures import rows
from stages.figures.colours import BLACK
from stages.studies.schema import Axis, Comparison, Figure

pytestmark = pytest.mark.usefixtures("house_style")

COMPARED = {"compare": {"all": Comparison(pairs=[["learned", "none"]])}}


def make_differences(*given: tuple[str, str, str, str, float], task: str = "grid") -> pd.DataFrame:
    """Make rows of (a, a_at, b, b_at, difference), each with an interval of ± 0.1."""
    names = ["a", "a_at", "b", "b_at", "difference"]
    table = pd.DataFrame(given, columns=names).assign(task=task, metric="score", q=0.01)
    return table.assign(low=table.difference - 0.1, high=table.difference + 0.1)


def names_of(table: pd.DataFrame, task: str = "grid", **more: Any) -> list[str]:
    return rows.list_rows(make_study(Figure("rows"), **more), table, task).name.tolist()


def test_pairs_are_ranked_best_first() -> None:
    pairs = [("learned", "0.2", "none", "", 0.1), ("learned", "0.2", "random", "", 0.3)]
    expected = ["learned σ 0.2 − random, untrained σ 0.2", "learned σ 0.2 − no encoding"]
    assert names_of(make_differences(*pairs)) == expected
    assert names_of(make_differences(*pairs, task="network"), "network") == expected[::-1]


def test_values_of_the_axis_stand_below_their_pair() -> None:
    ats = [("learned", at, "random", at, value) for at, value in (("10", 0.9), ("0.02", 0.1), ("2", 0.5))]
    expected = ["learned − random, untrained σ 0.2", "σ 0.02", "σ 2", "σ 10"]
    assert names_of(make_differences(*ats)) == expected


def test_pairs_of_cells_that_the_figure_names_are_drawn_alone() -> None:
    pairs = [("learned", "0.2", other, "", 0.1) for other in ("none", "random", "sinusoidal_nd")]
    for cells, drawn in (
        (["learned", "none"], ["learned σ 0.2 − no encoding"]),
        (
            ["learned", "none", "sinusoidal_nd"],
            ["learned σ 0.2 − no encoding", "learned σ 0.2 − fixed sinusoid"],
        ),
    ):
        study = make_study(Figure("rows", cells=cells), **COMPARED)
        (axes,) = rows.draw(study, make_differences(*pairs), pd.DataFrame()).axes
        assert [text.get_text() for text in axes.get_yticklabels()] == drawn
    nothing = make_study(Figure("rows", cells=["none", "random"]), **COMPARED)
    assert not rows.draw(nothing, make_differences(*pairs), pd.DataFrame()).axes


def test_the_better_side_of_zero_is_that_of_the_task() -> None:
    assert rows.name_sides("grid", "score").endswith("(right of 0: the first is better)")
    assert rows.name_sides("network", "score").endswith("(left of 0: the first is better)")


def test_zero_is_always_in_view() -> None:
    low, high = rows.find_limits(make_differences(("learned", "0.2", "none", "", 0.5)))
    assert low < 0 < 0.6 < high


def test_settings_are_ranked() -> None:
    settings = Axis(settings={"usual": {}, "rate_x03": {}})
    ats = [("learned", at, "none", at, value) for at, value in (("usual", 0.1), ("rate_x03", 0.2))]
    assert names_of(make_differences(*ats), axis=settings) == ["learned − no encoding", "rate ×0.3", "usual"]


def test_marks_are_at_differences_and_clipped_beyond_the_reach() -> None:
    values = [0.1, 0.12, 0.11, 0.1, 3.0]
    pairs = [("learned", "0.2", f"cell{number}", "", value) for number, value in enumerate(values)]
    (axes,) = rows.draw(make_study(Figure("rows"), **COMPARED), make_differences(*pairs), pd.DataFrame()).axes
    marks = [line for line in axes.lines if line.get_marker() in ("o", ">", "<")]
    assert [line.get_marker() for line in marks] == [">", "o", "o", "o", "o"]
    assert [points(line)[0, 0] for line in marks[1:]] == [0.12, 0.11, 0.1, 0.1]
    assert axes.get_xlim()[1] == pytest.approx(3 * 0.12, rel=0.2)
    assert [text.get_text() for text in axes.texts] == ["3.00"]
    assert axes.get_xlabel().endswith("(right of 0: the first is better)")


def test_an_interval_that_goes_on_has_a_head_where_it_is_cut() -> None:
    pairs = [("learned", "0.2", f"cell{number}", "", 0.1) for number in range(3)]
    table = make_differences(*pairs).assign(low=[0.0, -9.0, 0.0], high=[0.2, 9.0, 9.0])
    (axes,) = rows.draw(make_study(Figure("rows"), **COMPARED), table, pd.DataFrame()).axes
    heads = [
        (points(line)[0].tolist(), line.get_marker()) for line in axes.lines if line.get_markersize() == 3
    ]
    left, right = axes.get_xlim()
    assert heads == [
        ([pytest.approx(left), 1], "<"),
        ([pytest.approx(right), 1], ">"),
        ([pytest.approx(right), 2], ">"),
    ]


def test_hollow_where_the_interval_holds_0() -> None:
    pair = ("learned", "0.2", "none", "", 0.1)
    for low, fill in ((0.01, BLACK), (-0.01, "white")):
        table = make_differences(pair).assign(low=low)
        (axes,) = rows.draw(make_study(Figure("rows"), **COMPARED), table, pd.DataFrame()).axes
        assert axes.lines[-1].get_markerfacecolor() == fill


def test_a_study_that_compares_nothing_ranks_its_scores() -> None:
    scores = make_scores({("none", ""): [0.2, 0.4], ("random", ""): [0.9, 0.7], ("floor_zero", ""): [1.0]})
    (axes,) = rows.draw(make_study(Figure("rows")), make_differences(), scores).axes
    assert [text.get_text() for text in axes.get_yticklabels()] == ["random, untrained σ 0.2", "no encoding"]
    marks = [points(line)[0, 0] for line in axes.lines if line.get_marker() == "o"]
    assert marks == pytest.approx([0.8, 0.3]) and axes.get_xlabel().startswith("validation accuracy")
    (axes,) = rows.draw(make_study(Figure("rows", cells=["none"])), make_differences(), scores).axes
    assert [text.get_text() for text in axes.get_yticklabels()] == ["no encoding"]


def test_the_better_side_is_said_of_scores_and_pairs_alone() -> None:
    sides = {
        metric: "of 0" in rows.name_sides("network", metric)
        for metric in ("score", "validation/new", "alignment")
    }
    assert sides == {"score": True, "validation/new": True, "alignment": False}

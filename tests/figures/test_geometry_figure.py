import numpy as np
import pandas as pd

from stages.figures import geometry

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


def test_travel_is_of_trained_tables_and_dimensions_of_all() -> None:
    travel, beside, rank, other = geometry.draw(DESCRIBED, {"grid": {"focus": 0.1}}, "made up").axes
    heights = [np.asarray(line.get_ydata()).tolist() for line in travel.lines]
    assert [40.0] in heights and [77.0] not in heights and not beside.get_visible()
    assert {text.get_text() for text in other.texts} == {"fixed  3.000"}
    assert rank.get_ylim()[1] > 9


def test_without_tables_the_figure_says_so() -> None:
    assert not geometry.draw(DESCRIBED.iloc[:0], {}, "made up").axes

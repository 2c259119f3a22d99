"""Every figure says why it is empty."""

import pandas as pd
import pytest
from matplotlib.figure import Figure

from stages.figures import (
    alignment,
    attention,
    brain,
    effects,
    interventions,
    layouts,
    measure_panels,
    probe,
    robustness,
    similarity_maps,
)

NONE = pd.DataFrame(
    [{"task": "grid", "encoding": "none", "block": "all", "measure": "spearman", "value": 1.0}]
)
NO_TESTS = pd.DataFrame(columns=["family", "task", "a", "b", "difference", "low", "high", "effect_size"])
NO_TABLE, NO_MAP = "no learned table in this sweep", "no task whose tokens are drawn as a map"


@pytest.mark.parametrize(
    ("figure", "why"),
    [
        (alignment.draw(NONE, {}, ""), NO_TABLE),
        (attention.draw(NONE, {}, {}, ""), NO_TABLE),
        (interventions.draw(NONE, {}, ""), NO_TABLE),
        (robustness.draw(NONE, {}, ""), NO_TABLE),
        (layouts.draw({}, {}, ""), NO_MAP),
        (similarity_maps.draw({}, {"network": {"focus": 0.1}}, ""), NO_MAP),
        (brain.draw({}, {}, {}, {}, [], ""), "no task of brain regions"),
        (effects.draw(NO_TESTS, {}, ""), "no learned table of the reference \u03c3 beside another"),
        (
            measure_panels.draw(NONE[:0], {}, {}, "turned", []),
            "no positional table of this sweep was measured so",
        ),
        (probe.draw(NONE[:0], NONE, ""), "no configuration of the probe in this sweep"),
    ],
)
def test_it_says_why(figure: Figure, why: str) -> None:
    assert not figure.axes and [text.get_text() for text in figure.texts] == [why]

import numpy as np
import pandas as pd
import pytest
from made_studies import make_study
from matplotlib.figure import Figure as Page

from stages.figures.axis import StudyAxis
from stages.studies.schema import Axis, Figure

pytestmark = pytest.mark.usefixtures("house_style")


@pytest.mark.parametrize(
    ("of", "values", "is_log"),
    [
        ("init_std", [0.02, 0.2, 2.0], True),
        ("init_std", [0.1, 2.0], False),
        ("training.epochs", [24, 1000], True),
        ("network.held_out", [0, 0.9], False),
    ],
)
def test_a_wide_axis_is_logarithmic(of: str, values: list[float], is_log: bool) -> None:
    study = make_study(Figure("lines"), axis=Axis(of=of, values=values))
    axis = StudyAxis(study, pd.Series([f"{value:g}" for value in values]))
    low, high = values[0], values[-1]
    assert axis.is_log == is_log
    np.testing.assert_allclose(axis.place(pd.Series([f"{high:g}"])), [high])
    middle = np.sqrt(low * high) if is_log else (low + high) / 2
    np.testing.assert_allclose(axis.at_share(np.array([0, 0.5, 1])), [low, middle, high])


def test_a_zero_beside_a_wide_range_stands_one_step_before_it() -> None:
    study = make_study(Figure("lines"), axis=Axis(of="init_std", values=[0.0, 0.001, 0.2]))
    axis = StudyAxis(study, pd.Series(["0.2", "0", "0.001"]))
    assert axis.places == {"0": 0, "0.001": 1, "0.2": 2} and not axis.is_log


def test_cells_at_one_value_stand_beside_each_other() -> None:
    axis = StudyAxis(make_study(Figure("lines")), pd.Series(["0.02", "2"]))
    left, right = (axis.place(pd.Series(["0.02", "2"]), aside) for aside in (-1, 1))
    np.testing.assert_allclose(right / left, [100**0.02] * 2)


def test_settings_stand_in_the_order_of_the_study() -> None:
    study = make_study(Figure("lines"), axis=Axis(settings={"usual": {}, "longer": {}, "rate_x03": {}}))
    axis = StudyAxis(study, pd.Series(["rate_x03", "usual"]), n_flat=2)
    axes = Page().subplots()
    axis.apply(axes)
    assert [text.get_text() for text in axes.get_xticklabels()] == ["usual", "rate ×0.3"]
    assert axes.get_xticks().tolist() == [0, 1] and axes.get_xlim()[1] > axis.place_flat(1) > 1

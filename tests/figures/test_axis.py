import numpy as np
import pandas as pd
import pytest
from made_studies import make_study
from matplotlib.figure import Figure as Page

from stages.figures.axis import StudyAxis
from stages.studies.schema import Axis, Figure

pytestmark = pytest.mark.usefixtures("house_style")


@pytest.mark.parametrize(("values", "is_log"), [([0.02, 0.2, 2.0], True), ([0.1, 2.0], False)])
def test_sigma_is_logarithmic_where_it_is_wide(values: list[float], is_log: bool) -> None:
    study = make_study(Figure("lines"), axis=Axis(of="init_std", values=values))
    axis = StudyAxis(study, pd.Series([f"{value:g}" for value in values]))
    assert axis.is_log == is_log
    np.testing.assert_allclose(axis.place(pd.Series(["2"])), [2.0])
    middle = np.sqrt(values[0] * 2) if is_log else (values[0] + 2) / 2
    np.testing.assert_allclose(axis.at_share(np.array([0, 0.5, 1])), [values[0], middle, 2])


def test_cells_at_one_value_stand_beside_each_other() -> None:
    axis = StudyAxis(make_study(Figure("lines")), pd.Series(["0.02", "2"]))
    left, right = (axis.place(pd.Series(["0.02", "2"]), aside) for aside in (-1, 1))
    np.testing.assert_allclose(right / left, [100**0.03] * 2)


def test_settings_stand_in_the_order_of_the_study() -> None:
    study = make_study(Figure("lines"), axis=Axis(settings={"usual": {}, "longer": {}, "rate_x03": {}}))
    axis = StudyAxis(study, pd.Series(["rate_x03", "usual"]), n_flat=2)
    axes = Page().subplots()
    axis.apply(axes)
    assert [text.get_text() for text in axes.get_xticklabels()] == ["usual", "rate ×0.3"]
    assert axes.get_xticks().tolist() == [0, 1] and axes.get_xlim()[1] > axis.place_flat(1) > 1

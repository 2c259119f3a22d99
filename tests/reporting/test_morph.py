import base64

import numpy as np
import pytest
from a_report import inputs

from stages.reporting import morph


def test_every_sigma_has_map_points_and_alignment() -> None:
    section = morph.section(inputs())
    assert section.morph
    small, large = section.morph["tasks"]["grid"]["sigmas"]
    assert [small["label"], large["label"]] == ["0.2", "2"]
    assert small["at"] == pytest.approx(np.log10(0.2))
    assert small["fit"].startswith("0.600 [") and small["fit"].endswith("(n = 3 seeds)")
    rows = np.frombuffer(base64.b64decode(large["map"]), np.int8)  # up to the diagonal
    np.testing.assert_array_equal(rows, 127 * np.eye(16)[np.tril_indices(16)])


def test_a_table_that_mirrors_the_grid_lies_on_it() -> None:
    section = morph.section(inputs())
    assert section.morph
    grid = section.morph["tasks"]["grid"]
    away = np.linalg.norm(np.subtract(grid["sigmas"][0]["points"], grid["truth"]), axis=1)
    lost = np.linalg.norm(np.subtract(grid["sigmas"][1]["points"], grid["truth"]), axis=1)
    assert away.max() < 0.2 < lost.mean()
    assert grid["labels"][5] == "row 1, column 1"


def test_tasks_without_learned_tables_are_left_out() -> None:
    section = morph.section(inputs(sigmas={}))
    assert section.morph is None and section.paragraphs == ["No learned table was trained here."]

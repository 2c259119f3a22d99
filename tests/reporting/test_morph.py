import base64
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from a_report import inputs

from stages.reporting import morph

RANDOM = np.random.default_rng(0)


def grid(**similarity: Any) -> dict[str, Any]:
    """What is written of the grid; similarity: arrays that are other ones."""
    known = inputs()
    section = morph.section(replace(known, similarity={**known.similarity, **similarity}))
    assert section.morph
    task: dict[str, Any] = section.morph["tasks"]["grid"]
    return task


def test_every_sigma_has_map_points_and_alignment() -> None:
    small, large = grid()["sigmas"]
    assert [small["label"], large["label"]] == ["0.2", "2"]
    assert small["at"] == pytest.approx(np.log10(0.2))
    assert small["fit"].startswith("0.600 [") and small["fit"].endswith("(n = 3 seeds)")
    rows = np.frombuffer(base64.b64decode(large["map"]), np.int8)  # up to the diagonal
    np.testing.assert_array_equal(rows, 127 * np.eye(16)[np.tril_indices(16)])


def test_a_table_that_mirrors_the_grid_lies_on_it() -> None:
    task = grid()
    away, lost = (
        np.linalg.norm(np.subtract(step["points"], task["truth"]), axis=1) for step in task["sigmas"]
    )
    assert away.max() < 0.2 < lost.mean()
    np.testing.assert_allclose(task["truth"][0], [-(0.5**0.5), 0.5**0.5], atol=1e-3)  # top left
    assert task["labels"][5] == "cell 5" and task["groups"][5] == "row 1"
    assert task["colours"][:4] == [morph.COLOURS[0]] * 4 and task["colours"][4] == morph.COLOURS[1]
    assert task["plane"] == "columns and rows" and task["reference"] == "same_line"


def test_tokens_stand_in_drawing_order() -> None:
    task = grid(grid_order=np.arange(16)[::-1])
    assert task["labels"][0] == "cell 15" and task["truth"][0] == [0.707, -0.707]


def test_share_is_that_of_two_dimensions() -> None:
    """Four orthogonal rows centred span three equal dimensions."""
    plane = RANDOM.normal(size=(4, 2))
    assert morph.describe_table(np.eye(4), plane)["share"] == pytest.approx(2 / 3, abs=1e-3)


def test_coinciding_points_are_drawn_in_rings() -> None:
    plane = np.repeat([[0.0, 0.0], [1.0, 0.0]], 2, axis=0)
    beside = morph.spread_in_rings(plane, ["a", "a", "b", "b"])
    np.testing.assert_allclose(beside, morph.RING * np.array([[1, 0], [-1, 0]] * 2), atol=1e-9)
    assert not morph.spread_in_rings(np.eye(2), ["a", "b"]).any()


def test_tasks_without_learned_tables_are_left_out() -> None:
    section = morph.section(inputs(sigmas={"grid": {}}))
    assert section.morph is None and section.paragraphs == ["No learned table was trained here."]

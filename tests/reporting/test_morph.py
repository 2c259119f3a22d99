import base64
from typing import Any

import numpy as np
import pytest
from reported_project import maps, scores

from stages.reporting import morph


def grid(**changed: Any) -> dict[str, Any]:
    """Return what is written of the grid; changed: arrays that are other ones."""
    arrays = maps() | {f"grid__{name}": array for name, array in changed.items()}
    task: dict[str, Any] = morph.describe_maps(arrays, scores())["tasks"]["grid"]
    return task


def test_every_sigma_has_map_points_and_alignment() -> None:
    small, large = grid()["sigmas"]
    assert [small["label"], large["label"]] == ["0.2", "2"]
    assert small["at"] == pytest.approx(np.log10(0.2))
    assert small["fit"] == "0.60 [0.35, 0.85]"
    shades = np.frombuffer(base64.b64decode(small["map"]), np.uint8)  # below the diagonal
    assert len(shades) == 120 and shades[0] == 255 and shades.min() == 0
    assert not any(base64.b64decode(large["map"]))  # no two rows are alike
    assert large["added"] != large["map"] and any(base64.b64decode(large["added"]))
    assert small["share"] > 0.8 > 0.2 > large["share"] > 0  # the plane has two of 15


def test_a_table_that_mirrors_the_grid_lies_on_it() -> None:
    task = grid()
    away, lost = (
        np.linalg.norm(np.subtract(step["points"], task["truth"]), axis=1) for step in task["sigmas"]
    )
    assert away.max() < 0.2 < lost.mean()
    assert task["labels"][5] == "cell 5" and task["groups"][5] == "row 1"
    assert len(set(task["colours"])) == 4
    assert task["plane"] == "columns and rows" and task["reference"] == "same_line"


def test_tokens_stand_in_drawing_order() -> None:
    task = grid(order=np.arange(16)[::-1])
    assert task["labels"][0] == "cell 15" and task["truth"][0] == pytest.approx([0.53, -0.53])


def test_a_table_drawn_as_nothing_is_left_out() -> None:
    task = grid(sigmas=np.array(["0", "2"]))
    assert [step["label"] for step in task["sigmas"]] == ["2"]


def test_coinciding_points_are_drawn_in_rings() -> None:
    plane = np.repeat([[0.0, 0.0], [1.0, 0.0]], 2, axis=0)
    beside = morph.spread_in_rings(plane, ["a", "a", "b", "b"])
    np.testing.assert_allclose(beside, morph.RING * np.array([[1, 0], [-1, 0]] * 2), atol=1e-9)
    assert not morph.spread_in_rings(np.eye(2), ["a", "b"]).any()

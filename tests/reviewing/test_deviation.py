import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.image import imsave
from numpy.typing import ArrayLike

from stages.files import artifacts
from stages.reviewing.deviation import Deviation, list_deviations, not_comparable

ONES = np.ones((2, 3), np.float32)
NAN = np.nan
LONG_TABLE = "seed,metric,value\n0,loss,{}\n0,frames,1000.5\n"


def between(folder: Path, name: str, artifact: Any, replayed: Any) -> list[Deviation]:
    """Between two files of that name, of text or of an array `a`."""
    paths = [folder / side / name for side in ("artifact", "replayed")]
    for path, content in zip(paths, (artifact, replayed), strict=True):
        path.parent.mkdir()
        match path.suffix:
            case ".npz":
                artifacts.write_arrays(path, {"a": np.asarray(content)})
            case ".safetensors":
                artifacts.write_weights(path, {"a": np.asarray(content)})
            case ".npy":
                np.save(path, content)
            case ".png":
                imsave(path, np.full((4, 4, 3), content, np.uint8))
            case _:
                path.write_text(content)
    return list_deviations(*paths)


@pytest.mark.parametrize(
    ("artifact", "replayed", "deviations"),
    [
        # relative to the largest magnitude
        ([-4.0, 1.0], [-4.0, 1.5], [Deviation("a", 0.5, 0.125)]),
        # from zeros everything is far
        (0 * ONES, ONES, [Deviation("a", 1.0, 1.0)]),
        ([NAN, 0.0], [NAN, 0.5], [Deviation("a", 0.5, 1.0)]),
        # of labels and text the share that differs
        ([1, 2, 3, 4], [1, 2, 3, 9], [Deviation("a", 5.0, 0.25)]),
        (["x", "y"], ["x", "z"], [Deviation("a", 0.0, 0.5)]),
        # what cannot be set side by side
        (ONES, ONES[:1], [not_comparable("a", "shape (2, 3) in the artifact, (1, 3) in the replay")]),
        ([1.0, NAN], [NAN, 1.0], [not_comparable("a", "not finite in other places")]),
        ([1.0, NAN], [1.0, NAN], []),
        ([], [], []),
        (ONES, ONES.astype(np.float64), []),  # in other bytes
    ],
)
def test_of_arrays(
    tmp_path: Path, artifact: ArrayLike, replayed: ArrayLike, deviations: list[Deviation]
) -> None:
    assert between(tmp_path, "a.npz", artifact, replayed) == deviations


@pytest.mark.parametrize(
    ("name", "artifact", "replayed", "deviations"),
    [
        ("a.safetensors", 2 * ONES, 3 * ONES, [Deviation("a", 1.0, 0.5)]),
        ("a.npy", 2 * ONES, 3 * ONES, [Deviation("a", 1.0, 0.5)]),
        ("a.png", 0, 255, [Deviation("pixels", 1.0, 1.0)]),
        # of an unknown kind bytes alone
        ("a.bin", "one", "other", [not_comparable("", "other bytes")]),
        # each column of a table, each quantity of a long one: none hides in a larger one
        (
            "a.csv",
            "name,x,y\na,1.0,2\nb,2.0,3\n",
            "name,x,y\na,1.0,2\nc,2.5,3\n",
            [Deviation("name", 0.0, 0.5), Deviation("x", 0.5, 0.25)],
        ),
        ("a.csv", LONG_TABLE.format(0.1), LONG_TABLE.format(0.2), [Deviation("value of loss", 0.1, 1.0)]),
        # each value of JSON by its path
        (
            "a.json",
            json.dumps({"grid": {"accuracy": 0.5, "name": "x"}, "list": [1, None]}),
            json.dumps({"grid": {"accuracy": 0.75, "name": "x"}, "list": [1, None]}),
            [Deviation("grid.accuracy", 0.25, 0.5)],
        ),
    ],
)
def test_of_every_format(
    tmp_path: Path, name: str, artifact: Any, replayed: Any, deviations: list[Deviation]
) -> None:
    assert between(tmp_path, name, artifact, replayed) == deviations


def test_a_pixel_of_another_shade_counts_as_a_sixteenth(tmp_path: Path) -> None:
    picture = np.full((9, 10, 3), 100, np.uint8)
    imsave(tmp_path / "a.png", picture)
    picture[5, 6] += 48
    imsave(tmp_path / "b.png", picture)
    (found,) = list_deviations(tmp_path / "a.png", tmp_path / "b.png")
    assert found.absolute == pytest.approx(48 / 255 / 16, rel=1e-6)


def test_an_array_on_one_side_alone(tmp_path: Path) -> None:
    artifacts.write_arrays(tmp_path / "artifact.npz", {"a": ONES, "b": ONES})
    artifacts.write_arrays(tmp_path / "replayed.npz", {"a": ONES, "c": ONES})
    deviations = list_deviations(tmp_path / "artifact.npz", tmp_path / "replayed.npz")
    reasons = {"b": "only in the artifact", "c": "only in the replay"}
    assert deviations == [not_comparable(name, why) for name, why in reasons.items()]


def test_pickles_are_not_opened(tmp_path: Path) -> None:
    objects = np.array([print], object)
    (deviation,) = between(tmp_path, "a.npy", objects, objects)
    assert "cannot be read" in deviation.why

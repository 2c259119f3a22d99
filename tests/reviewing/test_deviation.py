import json
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imsave

from stages.files import artifacts
from stages.reviewing.deviation import Deviation, list_deviations, same_bytes

ONES = np.ones((2, 3), np.float32)


def of_arrays(folder: Path, artifact: object, replayed: object, suffix: str = ".npz") -> list[Deviation]:
    """Between two files that hold each one array, `a`."""
    write = artifacts.write_weights if suffix == ".safetensors" else artifacts.write_arrays
    paths = [folder / f"{side}{suffix}" for side in ("artifact", "replayed")]
    for path, array in zip(paths, (artifact, replayed), strict=True):
        write(path, {"a": np.asarray(array)})
    return list_deviations(*paths)


def of_text(folder: Path, suffix: str, artifact: str, replayed: str) -> list[Deviation]:
    paths = [folder / f"{side}{suffix}" for side in ("artifact", "replayed")]
    for path, text in zip(paths, (artifact, replayed), strict=True):
        path.write_text(text)
    return list_deviations(*paths)


@pytest.mark.parametrize("suffix", [".npz", ".safetensors"])
def test_relative_is_of_the_largest_magnitude(tmp_path: Path, suffix: str) -> None:
    (found,) = of_arrays(tmp_path, np.array([-4.0, 1.0]), np.array([-4.0, 1.5]), suffix)
    assert found == Deviation("a", 0.5, 0.125)


def test_equal_values_in_other_bytes_do_not_deviate(tmp_path: Path) -> None:
    assert of_arrays(tmp_path, ONES, ONES.astype(np.float64)) == []
    assert not same_bytes(tmp_path / "artifact.npz", tmp_path / "replayed.npz")


def test_from_zeros_everything_is_far(tmp_path: Path) -> None:
    assert of_arrays(tmp_path, 0 * ONES, ONES) == [Deviation("a", 1.0, 1.0)]
    unknown = np.array([np.nan, 0.0])
    assert of_arrays(tmp_path, unknown, unknown + 0.5) == [Deviation("a", 0.5, 1.0)]


def test_of_labels_and_text_the_share_that_differs(tmp_path: Path) -> None:
    assert of_arrays(tmp_path, [1, 2, 3, 4], [1, 2, 3, 9]) == [Deviation("a", 5.0, 0.25)]
    assert of_arrays(tmp_path, ["x", "y"], ["x", "z"]) == [Deviation("a", 0.0, 0.5)]


def test_what_cannot_be_set_side_by_side_says_why(tmp_path: Path) -> None:
    (shapes,) = of_arrays(tmp_path, ONES, ONES[:1])
    assert shapes.why == "shape (2, 3) in the artifact, (1, 3) in the replay" and shapes.relative == np.inf
    (places,) = of_arrays(tmp_path, [1.0, np.nan], [np.nan, 1.0])
    assert "not finite" in places.why
    assert of_arrays(tmp_path, [1.0, np.nan], [1.0, np.nan]) == []


def test_an_array_on_one_side_alone(tmp_path: Path) -> None:
    artifacts.write_arrays(tmp_path / "one.npz", {"a": ONES, "b": ONES})
    artifacts.write_arrays(tmp_path / "other.npz", {"a": ONES, "c": ONES})
    found = {part.part: part.why for part in list_deviations(tmp_path / "one.npz", tmp_path / "other.npz")}
    assert found == {"b": "only in the artifact", "c": "only in the replay"}


def test_pickles_are_not_opened(tmp_path: Path) -> None:
    paths = [tmp_path / "one.npy", tmp_path / "other.npy"]
    for path in paths:
        np.save(path, np.array([print]), allow_pickle=True)
    (found,) = list_deviations(*paths)
    assert "cannot be read" in found.why


def test_npy(tmp_path: Path) -> None:
    np.save(tmp_path / "one.npy", 2 * ONES)
    np.save(tmp_path / "other.npy", 3 * ONES)
    assert list_deviations(tmp_path / "one.npy", tmp_path / "other.npy") == [Deviation("array", 1.0, 0.5)]


def test_columns_of_a_table(tmp_path: Path) -> None:
    found = of_text(tmp_path, ".csv", "name,x,y\na,1.0,2\nb,2.0,3\n", "name,x,y\na,1.0,2\nc,2.5,3\n")
    assert found == [Deviation("name", 0.0, 0.5), Deviation("x", 0.5, 0.25)]


def test_quantities_of_a_long_table_apart(tmp_path: Path) -> None:
    """A deviation of a small quantity is not hidden by a large one in the same column."""
    table = "seed,metric,value\n0,loss,{}\n0,frames,1000.5\n"
    assert of_text(tmp_path, ".csv", table.format(0.1), table.format(0.2)) == [
        Deviation("value of loss", 0.1, 1.0)
    ]


def test_values_of_json(tmp_path: Path) -> None:
    one, other = ({"grid": {"accuracy": value, "name": "x"}, "list": [1, None]} for value in (0.5, 0.75))
    assert of_text(tmp_path, ".json", json.dumps(one), json.dumps(other)) == [
        Deviation("grid.accuracy", 0.25, 0.5)
    ]


def test_pixels(tmp_path: Path) -> None:
    for name, grey in (("one", 0), ("other", 51)):
        imsave(tmp_path / f"{name}.png", np.full((4, 4, 3), grey, np.uint8))
    (found,) = list_deviations(tmp_path / "one.png", tmp_path / "other.png")
    assert found.part == "pixels" and found.absolute == pytest.approx(0.2)


def test_of_an_unknown_kind_bytes_alone(tmp_path: Path) -> None:
    assert of_text(tmp_path, ".bin", "same", "same") == []
    (found,) = of_text(tmp_path, ".bin", "one", "other")
    assert found.why == "other bytes"

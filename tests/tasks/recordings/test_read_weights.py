"""Weights of connections beside recordings, as the stage `read` takes them."""

from pathlib import Path

import numpy as np
import pytest
from own_recordings import noise, refuse, write_settings

from stages.tasks.recordings import neutral, read


@pytest.mark.parametrize("person", ["all", "structural", "None"])
def test_weights_are_of_the_person_whose_name_they_have(person: str, own: Path) -> None:
    np.save(own / f"{person}_1.npy", noise(22, 3, seed=9))
    for weight, name in enumerate(("ann", "bob", person), 1):
        np.save(own / f"{name}_sc.npy", np.full((3, 3), weight))
    write_settings(own.parent, structural="{subject}_sc.npy", files="{subject}_{run}.npy")
    read.main(own.parent)
    weights = neutral.read_structural(own.parent / neutral.FOLDER, ["bob", person, "ann"])
    assert [each[0, 1] for each in weights] == [2, 3, 1]


@pytest.mark.parametrize("weights", [np.zeros((3, 3)), np.eye(3), np.diag([1.0, 2, 0])])
@pytest.mark.parametrize("template", ["sc.npy", "{subject}.sc.npy"])
def test_weights_that_join_no_regions_are_refused(weights: np.ndarray, template: str, own: Path) -> None:
    for name in ("sc.npy", "ann.sc.npy", "bob.sc.npy"):
        np.save(own / name, weights)
    write_settings(own.parent, structural=template)
    refuse(own, r"sc\.npy: no weight above 0 between two regions, .*\.structural: null")


@pytest.mark.parametrize("factor", [1e4, 1e-4, 150])
def test_weights_of_people_in_several_units_are_refused(factor: float, own: Path) -> None:
    write_settings(own.parent, structural="{subject}.sc.npy")
    for name, unit in (("ann", 5), ("bob", 1)):
        np.save(own / f"{name}.sc.npy", unit * (9 * np.eye(3) + 1))
    read.main(own.parent)
    np.save(own / "bob.sc.npy", factor * (noise(3, 3, seed=3) ** 2 + 3))
    person = "bob" if factor > 1 else "ann"
    np.save(own / "ann.sc.npy", np.full((3, 3), 3.5))
    refuse(
        own, rf"{person}\.sc\.npy: its weights add up to .*, those of .*, expected one unit for all people"
    )

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from stages.core.settings.errors import InputError
from stages.tasks.recordings.places import check_places, say_background

PATH = Path("regions.csv")
MM = np.random.default_rng(0).uniform(-70, 70, (12, 3))


def table(places: np.ndarray, **more: list[str]) -> pd.DataFrame:
    labels = [f"r{row}" for row in range(len(places))]
    return pd.DataFrame(places, columns=[*"xyz"[: places.shape[1]]]).assign(**{"label": labels} | more)


SIDES = ["L" if x < 0 else "R" for x in MM[:, 0]]
ODD = {"voxels' indices": MM + 80, "span 0.1": MM / 1000, "span 139226": MM * 1000}


@pytest.mark.parametrize("said", ODD)
def test_other_units_are_said_and_refused_in_a_brain(said: str, capsys: pytest.CaptureFixture[str]) -> None:
    check_places(table(ODD[said]), PATH)
    assert "ignore this" in capsys.readouterr().out
    with pytest.raises(InputError, match=said):
        check_places(table(ODD[said], hemisphere=SIDES), PATH)


@pytest.mark.parametrize("names", ["hemisphere", "suffix", "word"])
def test_hemispheres_on_each_others_side_are_refused(names: str, capsys: pytest.CaptureFixture[str]) -> None:
    more = {
        "hemisphere": {"hemisphere": SIDES},
        "suffix": {"label": [f"V{row}_{side}" for row, side in enumerate(SIDES)]},
        "word": {"label": [f"{'Left' if side == 'L' else 'right'} {row}" for row, side in enumerate(SIDES)]},
    }[names]
    check_places(table(MM, **more), PATH)
    assert not capsys.readouterr().out
    with pytest.raises(InputError, match="most regions of the left hemisphere have x above 0"):
        check_places(table(MM * [-1, 1, 1], **more), PATH)


def test_planes_and_few_regions_are_of_any_kind(capsys: pytest.CaptureFixture[str]) -> None:
    for places in (MM[:, :2] + 80, (MM[:, :2] + 80) * 1e3, MM[:5] + 80):
        check_places(table(places), PATH)
    assert not capsys.readouterr().out


@pytest.mark.parametrize("factor", [0.1, 0.01, 0.14])
def test_places_within_a_small_part_of_a_brain_may_be_in_cm(
    factor: float, capsys: pytest.CaptureFixture[str]
) -> None:
    check_places(table(factor * MM, hemisphere=SIDES), PATH)
    assert "where they are in cm, convert the places" in capsys.readouterr().out
    check_places(table(factor * MM[:5]), PATH)
    assert not capsys.readouterr().out


@pytest.mark.parametrize("label", ["Medial_wall", "Background+FreeSurfer_Defined_Medial_Wall", "unknown"])
def test_names_of_no_region_are_said(label: str, capsys: pytest.CaptureFixture[str]) -> None:
    say_background(["V1", "Medial orbital", "unknown_7"], PATH)
    assert not capsys.readouterr().out
    say_background(["V1", label], PATH)
    assert f"region {label} is used like others (1 of 2 have such names)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("place", "said"),
    [(0, "r4 is at 0, 0, 0, inside the brain"), (-999, "-999 stands in row 4"), (-1, "-1 stands")],
)
def test_a_missing_place_is_said(place: float, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    places = MM.copy()
    places[4] = place
    for kind in (places, np.rint(places)) if place == 0 else (places,):
        check_places(table(kind), PATH)
        assert capsys.readouterr().out.startswith(f"regions.csv: {said}")
    check_places(table(np.indices((3, 4, 2)).reshape(3, -1).T * 5.0), PATH)
    assert "0, 0, 0" not in capsys.readouterr().out

import re
from pathlib import Path
from typing import Any

import made_recordings as made
import numpy as np
import pandas as pd
import pytest
from made_atlas import REGIONS, open_reader, series, write_atlas

from stages.core.settings.errors import InputError
from stages.tasks.recordings.readers import nifti
from stages.tasks.recordings.readers.interface import Reader


def test_a_region_that_the_atlas_lacks_is_named(tmp_path: Path) -> None:
    reader = nifti.open_reader(write_atlas(tmp_path), REGIONS.assign(index=[44, 7]), ())
    with pytest.raises(ValueError, match=r"a\.nii: region left is empty \(1 of 2 are\)[^\n]*$"):
        reader.read_run(made.write_nifti(tmp_path / "a.nii", series()))


def test_regions_of_the_atlas_that_no_row_names_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    open_reader(tmp_path)
    assert capsys.readouterr().out == ""
    nifti.open_reader(write_atlas(tmp_path), REGIONS[:1], ())
    assert "left out are its regions 7, since recordings.positions has no index" in capsys.readouterr().out


def test_numbers_of_an_atlas_are_whole_up_to_what_a_scale_factor_rounds(tmp_path: Path) -> None:
    numbers = np.arange(8.0).reshape(2, 2, 2)
    path = made.write_nifti(tmp_path / "atlas.nii", numbers * 1.0000001)
    np.testing.assert_array_equal(nifti.read_atlas(path).dataobj, numbers)
    made.write_nifti(path, numbers[..., None])
    np.testing.assert_array_equal(nifti.read_atlas(path).dataobj, numbers)


@pytest.mark.parametrize("value", [1.7, np.nan, np.inf, 1e12])
def test_an_atlas_of_other_numbers_is_refused(value: float, tmp_path: Path) -> None:
    path = made.write_nifti(tmp_path / "atlas.nii", np.array([0, 1, value, 3]).reshape(2, 2, 1))
    message = rf"atlas\.nii: value {re.escape(f'{value:g}')} in it, expected whole numbers [^\n]*$"
    with pytest.raises(InputError, match=message):
        nifti.read_atlas(path)


GRID = np.arange(1, 13).reshape(3, 2, 2).repeat(2, axis=0).repeat(3, axis=1).repeat(2, axis=2)
MIDDLES = np.array([4 * np.argwhere(number == GRID).mean(axis=0) for number in range(1, 13)])


def open_grid(folder: Path, index: Any, places: Any = MIDDLES) -> Reader:
    """Open twelve regions of a grid, given those numbers and places."""
    atlas = made.write_nifti(folder / "grid.nii", GRID.astype(np.int16))
    table = pd.DataFrame(places, columns=[*"xyz"]).assign(label=[f"r{row}" for row in range(12)], index=index)
    return nifti.open_reader(atlas, table, ())


@pytest.mark.parametrize(
    "index",
    [np.random.default_rng(5).permutation(12) + 1, np.roll(np.arange(1, 13), 1), np.arange(12, 0, -1)],
)
def test_numbers_of_other_places_are_refused(index: Any, tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"grid\.nii: \d+ of 12 places of .* correct index or the places[^\n]*$"
    ):
        open_grid(tmp_path, index)


def test_places_may_be_anywhere_in_their_regions(tmp_path: Path) -> None:
    edges = np.array([4 * np.argwhere(number == GRID)[0] for number in range(1, 13)])
    swapped = [2, 1, *range(3, 13)]
    for index, places in ((range(1, 13), edges), (range(1, 13), MIDDLES + 3), (swapped, MIDDLES)):
        assert len(open_grid(tmp_path, [*index], places).regions) == 12

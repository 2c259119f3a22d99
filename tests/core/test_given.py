"""Read numbers from arrays, tensors and lists; refuse frames that may number their rows."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch

from stages.core.biases import measure_bias
from stages.core.measure import measure_table
from stages.core.settings.errors import InputError

DRAWN = np.random.default_rng(0).normal(size=(64, 8))


FRAME = pd.DataFrame(DRAWN)


SHUFFLED = np.random.default_rng(1).permutation(64)


ONE_SIDED = np.arange(-31.0, 1)


ALIBI = pd.DataFrame(np.outer(ONE_SIDED, 2.0 ** -np.arange(1, 9)))


@pytest.mark.parametrize(
    ("table", "column"),
    [
        (FRAME.reset_index().rename(columns={"index": "Unnamed: 0"}), "Unnamed: 0"),
        (FRAME.reset_index().rename(columns={"index": "Unnamed: 0"})[::3], "Unnamed: 0"),  # by its name
        (FRAME.assign(token=range(64)), "token"),
        (FRAME.assign(token=SHUFFLED), "token"),
        (FRAME.assign(seconds=0.72 * np.arange(64)), "seconds"),
    ],
)
def test_columns_that_may_number_rows_are_refused_in_frames(table: pd.DataFrame, column: str) -> None:
    with pytest.raises(InputError, match=f"table: column '{column}' may number rows.*drop.*to_numpy"):
        measure_table(table)
    places = pd.DataFrame(np.indices((8, 8)).reshape(2, -1).T, columns=["row", "column"])
    with pytest.raises(InputError, match="places: column 'token' may number rows"):
        measure_table(DRAWN, places.assign(token=SHUFFLED))
    assert measure_table(FRAME, places) == measure_table(DRAWN, places.to_numpy())


def test_what_is_not_said_to_be_a_frame_is_measured_with_a_warning() -> None:
    with pytest.warns(UserWarning, match="table: column 3 of 9 may number rows"):
        found = measure_table(np.insert(DRAWN, 2, SHUFFLED, axis=1))
    assert found.columns == 9
    with pytest.raises(InputError, match="its index numbers rows in another order than they stand"):
        measure_table(FRAME.iloc[SHUFFLED])
    assert measure_bias(ALIBI, ONE_SIDED).monotone == pytest.approx([-1] * 8)  # go evenly, none counts
    with pytest.raises(InputError, match="bias: column 'offset' may number rows"):
        measure_bias(ALIBI.assign(offset=ONE_SIDED), ONE_SIDED)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (np.ma.masked_greater(DRAWN, 2), "table holds masked numbers"),
        (torch.complex(torch.tensor(DRAWN), torch.tensor(DRAWN)), "table holds complex numbers"),
        (DRAWN + 1j, "table holds complex numbers"),
        ((DRAWN + 1j).tolist(), "table holds complex numbers"),
        (FRAME.assign(word="the"), "could not convert string to float: 'the'"),
        ([np.ma.masked_greater(row, 2) for row in DRAWN], "table holds masked numbers"),
        ((np.ma.masked_greater(DRAWN[0], 0), *DRAWN[1:]), "table holds masked numbers"),
        (torch.empty(DRAWN.shape, device="meta"), "table: .*meta tensor"),
        (DRAWN * 1e200, r"largest number is .*e\+200, the square of which no double holds"),
        (DRAWN * 1e-170, "expected one between 1e-150 and 1e"),
    ],
)
def test_numbers_that_would_lose_something_are_refused(given: Any, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        measure_table(given)
    assert "\n" not in str(caught.value)
    whole = np.ma.masked_array(DRAWN, np.zeros_like(DRAWN, bool))
    assert measure_table(whole) == measure_table(DRAWN)


@pytest.mark.parametrize("as_given", [pd.Series, np.array, lambda dates: dates - dates[0]])
def test_absent_dates_are_no_places(as_given: Any) -> None:
    dates = pd.date_range("2024-01-01", periods=len(DRAWN)).to_numpy(copy=True)
    assert measure_table(DRAWN, as_given(dates)).alignment == measure_table(DRAWN).alignment
    dates[5] = np.datetime64("NaT")
    with pytest.raises(InputError, match="places holds numbers that are not finite"):
        measure_table(DRAWN, as_given(dates))


def test_a_view_of_another_sign_is_read_as_it_stands() -> None:
    view = torch.complex(torch.zeros(DRAWN.shape).double(), torch.tensor(DRAWN)).conj().imag
    assert measure_table(view) == measure_table(-DRAWN)


def test_frames_with_labels_in_another_order_are_refused() -> None:
    labels = [f"E{number}" for number in range(64)]
    table = pd.DataFrame(DRAWN, index=labels)
    places = pd.DataFrame(DRAWN[:, :3], index=labels, columns=list("xyz"))
    said = r"places: row 2 is labelled E10, and that of the table E2, .*; give places.loc.table.index."
    with pytest.raises(InputError, match=said):
        measure_table(table, places.sort_index())
    expected = measure_table(DRAWN, DRAWN[:, :3])
    assert measure_table(table, places) == measure_table(table, places.to_numpy()) == expected
    assert measure_table(table, places.sort_index().loc[table.index]) == expected
    assert measure_table(DRAWN, places.reset_index(drop=True)) == expected
    with pytest.raises(InputError, match="offsets: row 0 is labelled"):
        measure_bias(table, pd.Series(np.arange(64.0), index=labels[::-1]))


def test_columns_beside_known_axes_are_refused() -> None:
    places = pd.DataFrame(DRAWN[:, :3], columns=["x_mm", "y_mm", "z_mm"])
    with pytest.raises(
        InputError, match=r"places: column 'roi' stands beside x_mm, y_mm, z_mm, .*give places"
    ):
        measure_table(DRAWN, places.assign(roi=2001.0 + np.arange(64) ** 2))
    ours = pd.DataFrame(DRAWN[:, :2], columns=["depth", "side"])
    assert measure_table(DRAWN, ours) == measure_table(DRAWN, DRAWN[:, :2])

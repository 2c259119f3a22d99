"""Numbers of `posenc.measure`, `posenc.biases` and `posenc.frequencies` against known ones."""

import re
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
import torch
from scipy.spatial.distance import cdist

from stages.core.biases import bucket_offsets, line_offsets, measure_bias, window_offsets
from stages.core.encodings.rope_scaled import slow_down
from stages.core.frequencies import measure_frequencies
from stages.core.measure import STREAM, measure_table
from stages.core.measures.alignment import align
from stages.core.positions.sinusoids import sinusoid
from stages.core.randomness.streams import generator
from stages.core.settings.errors import InputError
from stages.measure_table.measures import measure
from stages.measure_table.places import place_cells, read_places

GRID = place_cells((5, 8))


def test_numbers_are_those_of_the_page_and_of_the_studies() -> None:
    table = np.random.default_rng(0).normal(size=(40, 6)) + 0.2 * np.tile(GRID, 3)
    found = measure_table(torch.tensor(table, requires_grad=True), 3.5 * GRID)  # in mm, say
    rows = measure(table, read_places("square:5x8", 40), generator(0, STREAM))
    rows = rows[(rows.of == "table") & rows.reference.isin(["square", ""])]
    page = rows.set_index(["measure", "at"]).value
    for name in ("alignment", "position_error", "procrustes", "procrustes_equal_size", "stress", "length"):
        assert getattr(found, name) == page[name, 0]
    assert found.cosines == page["cosine"].to_dict() and found.effective_rank == page["effective_rank", 0]
    assert found.alignment == pytest.approx(align(table, cdist(GRID, GRID)), abs=1e-12)
    assert (found.rows, found.columns) == (40, 6)


def test_a_sinusoid_mirrors_its_line_and_one_column_has_no_sinusoid() -> None:
    found = measure_table(sinusoid(np.arange(64.0), 16))
    assert found.procrustes == pytest.approx(0, abs=1e-6) and found.order_right == 100
    line = measure_table(np.arange(12.0))
    assert (
        line.alignment == pytest.approx(1) and line.stress == pytest.approx(0) and np.isnan(line.procrustes)
    )


@pytest.mark.parametrize(
    ("table", "places", "said"),
    [
        (np.ones((12, 3)), None, "table: all rows are equal"),
        (np.full((12, 3), np.nan), None, "table holds numbers that are not finite"),
        (np.zeros((2, 12, 3)), None, r"table of shape \(2, 12, 3\), expected"),
        (np.arange(9.0), None, "table: 9 rows, expected 10"),
        (np.arange(12.0), np.arange(11.0), "places: 11, expected 12"),
    ],
)
def test_what_cannot_be_measured_is_refused(table: np.ndarray, places: np.ndarray | None, said: str) -> None:
    with pytest.raises(InputError, match=said):
        measure_table(table, places)


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
    ],
)
def test_numbers_that_would_lose_something_are_refused(given: Any, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        measure_table(given)
    assert "\n" not in str(caught.value)
    whole = np.ma.masked_array(DRAWN, np.zeros_like(DRAWN, bool))
    assert measure_table(whole) == measure_table(DRAWN)


def test_frequencies_are_a_vector_whatever_its_axes() -> None:
    series = 1e4 ** -(np.arange(16) / 16)
    for vector in (series[None], series[:, None], series[None, None], pd.DataFrame({"inv_freq": series})):
        assert measure_frequencies(vector).base == pytest.approx(1e4)
    for matrix in (np.stack([series] * 2, 1), np.stack([series * 2.0**-h for h in range(8)])):
        with pytest.raises(InputError, match=re.escape(f"frequencies of shape {matrix.shape}, expected [m]")):
            measure_frequencies(matrix)


def test_biases_of_known_shapes() -> None:
    steps = line_offsets(31)
    found = measure_bias(np.hstack([-np.abs(steps), steps, np.zeros((31, 1))]), steps)
    np.testing.assert_allclose(found.monotone, [-1, 0, np.nan], atol=1e-12)
    np.testing.assert_allclose(found.slope, [-1, 0, 0], atol=1e-12)
    np.testing.assert_allclose(found.symmetric, [1, -1, np.nan])
    np.testing.assert_allclose(found.by_distance, [1, 0, np.nan], atol=1e-12)
    assert found.by_axis.shape == (0, 3)
    past = measure_bias(np.arange(-9.0, 1), np.arange(-9.0, 1))
    assert past.monotone == -1 and np.isnan([past.symmetric, past.by_distance]).all()


def test_biases_of_a_window_by_distance_and_by_axis() -> None:
    window = window_offsets(3, 4)
    np.testing.assert_array_equal(window[[0, 1, 7, -1]], [[2, 3], [2, 2], [1, 3], [-2, -3]])
    far = np.linalg.norm(window, axis=1)
    found = measure_bias(np.stack([-far, window[:, 0] ** 2, window[:, 1]], axis=1), window)
    np.testing.assert_allclose(found.symmetric, [1, 1, -1])
    assert found.by_distance[0] == pytest.approx(1) and found.monotone[0] == pytest.approx(-1)
    np.testing.assert_allclose(found.by_axis[:, 1:], [[1, 0], [0, 1]], atol=1e-12)


def test_buckets_of_an_encoder_and_of_a_decoder() -> None:
    """Count buckets as transformers' T5Attention._relative_position_bucket does."""
    both, past = bucket_offsets(32, True, 128), bucket_offsets(32, False, 128)
    assert [both[row] for row in (0, 7, 8, 17, 24)] == [0, -7, -9.5, 1, 9.5] and 16 not in both
    assert [past[row] for row in (0, 15, 16, 17)] == [0, -15, -17, -19.5] and len(past) == 32


@pytest.mark.parametrize("kind", [torch.float64, torch.float32, torch.bfloat16])
@pytest.mark.parametrize(
    ("method", "base", "first", "geometric", "slowed"),
    [
        ("none", 1e4, 1, 64, 1),
        ("interpolation", 1e4, 0.25, 64, 1),
        ("ntk", 1e4 * 4 ** (64 / 63), 1, 64, 1),
        ("yarn", 1e4, 1, 17, 4),
    ],
)
def test_frequencies_of_each_scaling(
    method: str, base: float, first: float, geometric: int, slowed: float, kind: torch.dtype
) -> None:
    stored = torch.tensor(
        slow_down(method if method != "none" else "yarn", 128, 2048, 1 if method == "none" else 4)
    )
    found = measure_frequencies(stored.to(kind))
    assert found.base == pytest.approx(base, rel=0.02) and found.first == pytest.approx(first)
    assert abs(found.geometric - geometric) <= 1 and found.slowed == pytest.approx(slowed, rel=0.02)


def test_frequencies_that_are_slowed_one_by_one_have_no_base() -> None:
    slowed = np.linspace(1, 64, 48) ** np.linspace(0.2, 1, 48)  # as the factors of LongRoPE rise
    for kind in (torch.float32, torch.bfloat16):
        found = measure_frequencies(torch.tensor(1e4 ** -(np.arange(48) / 48) / slowed).to(kind))
        assert found.geometric == 0 and np.isnan([found.base, found.ratio, found.slowed]).all()
        assert np.isfinite(found.wavelengths).all() and found.turning == 48


def test_frequencies_that_rest_or_rise() -> None:
    found = measure_frequencies([1, 0.1, 0.01, 0])
    assert found.base == pytest.approx(1e4) and found.turning == 3 and found.wavelengths[3] == np.inf
    with pytest.raises(InputError, match="frequencies: 0.1, 1, …, expected 3 or more that fall"):
        measure_frequencies([0.1, 1, 10])


@pytest.mark.parametrize("base", [1e4, 5e5, 1e6])
@pytest.mark.parametrize("pairs", [32, 64])
def test_frequencies_that_float16_rounds_coarsely_are_geometric_still(base: float, pairs: int) -> None:
    found = measure_frequencies(torch.tensor(base ** -(np.arange(pairs) / pairs)).half())
    assert (found.geometric, found.slowed) == (pairs, 1) and found.base == pytest.approx(base, rel=0.01)


def test_a_matrix_of_queries_and_keys_is_no_table_of_offsets() -> None:
    for n in (12, 13):
        matrix = -np.abs(np.arange(n)[:, None] - np.arange(n))
        with pytest.raises(
            InputError, match=rf"bias \[{n}, {n}\] is of queries and keys, expected a row for"
        ):
            measure_bias(matrix, np.arange(n) - n // 2)
        by_offset = np.append(matrix[:0:-1, 0], matrix[0])
        assert measure_bias(by_offset, line_offsets(2 * n - 1)).monotone == pytest.approx(-1)
    with pytest.raises(InputError, match="rows: 12, expected an odd number"):
        line_offsets(12)


def test_rows_that_fit_other_places_better_are_warned_of() -> None:
    def draw(sides: tuple[int, int], tokens: int = 0) -> tuple[np.ndarray, np.ndarray]:
        grid = np.indices(sides).reshape(2, -1).T.astype(float)
        table = np.hstack([sinusoid(grid[:, axis] / 10, 8) for axis in (0, 1)])
        return np.vstack([np.ones((tokens, 16)), table]), grid

    table, places = draw((12, 20))
    by_columns = np.stack([axis.ravel() for axis in np.meshgrid(np.arange(12), np.arange(20))], axis=1)
    with pytest.warns(UserWarning, match=r"fit these places better in another order: alignment [\d.]+ for"):
        measure_table(table, by_columns)
    for tokens, said in (
        (0, "rows fit a square of 14 x 14 better than"),
        (1, "rows from 1 on fit a square of"),
    ):
        with pytest.warns(UserWarning, match=said):
            measure_table(draw((14, 14), tokens)[0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        measure_table(table, places)
        measure_table(*draw((14, 14)))
        measure_table(sinusoid(np.arange(197.0), 64))
        measure_table(np.random.default_rng(0).normal(size=(196, 16)))

"""Numbers of `posenc.measure`, `posenc.biases` and `posenc.frequencies` against known ones."""

import numpy as np
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

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from scipy.stats import entropy

from stages.core.measures.alignment import align
from stages.core.placed_rows import compare, compare_places, order_right, read_out
from stages.core.positions.positions import Matrix
from stages.core.positions.scaling import classical_scaling
from stages.core.positions.sinusoids import sinusoid
from stages.measure_table.measures import measure
from stages.measure_table.places import read_places

SQUARE = read_places("square:8x8", 64)


def measured(table: Matrix, positions: str) -> pd.DataFrame:
    rows = measure(table, read_places(positions, len(table)), np.random.default_rng(0))
    keys = ["of", "measure", "reference", "at"]
    assert not rows.duplicated(keys).any()
    return rows.set_index(keys).sort_index()


def random_table(n: int, d: int) -> Matrix:
    return np.random.default_rng(n + d).normal(size=(n, d))


def test_a_sinusoid_holds_index_and_order() -> None:
    rows = measured(sinusoid(np.arange(200.0), 64), "line")
    of = rows.loc["table"]
    assert of.value["alignment", "index", 0] > 0.8
    assert of.value["position_error", "index", 0] < 1 and of.value["order_right", "index", 0] > 99
    assert np.abs(of.value["index_read"].to_numpy() - np.arange(200)).mean() < 2
    assert of.value["cosine", "index", 1] > of.value["cosine", "index", 8] > of.value["cosine", "index", 128]
    np.testing.assert_allclose(of.value["row_length"], 32**0.5)
    assert rows.value["permuted", "position_error", "index", 0] > 20
    assert of.low["position_error", "index", 0] < of.high["position_error", "index", 0]


def test_a_square_is_told_from_the_order_it_is_read_in() -> None:
    table = classical_scaling(cdist(SQUARE["square"], SQUARE["square"]))
    value = measured(table, "square:8x8").value["table"]
    assert value["alignment", "square", 0] > 0.99 > 0.9 > value["alignment", "index", 0]
    assert value["position_error", "square", 0] < 3
    assert value["cosine", "square", 1] > value["cosine", "square", 4]


def test_noise_holds_no_more_than_permuted_rows_and_random_tables() -> None:
    rows = measured(3 * random_table(150, 20), "square:10x15")
    for reference in ("square", "index"):
        for key, most in ((("alignment", reference, 0), 0.05), (("position_error", reference, 0), 4)):
            table, permuted, random = (rows.value[(of, *key)] for of in ("table", "permuted", "random"))
            assert abs(table - permuted) < most and abs(random - permuted) < most
        assert (
            rows.low["permuted", "alignment", reference, 0]
            < 0
            < rows.high["permuted", "alignment", reference, 0]
        )
    assert 22 < rows.value["table", "position_error", "index", 0] < 32
    assert 40 < rows.value["table", "order_right", "index", 0] < 60
    assert rows.value["random", "length", "", 0] == pytest.approx(
        rows.value["table", "length", "", 0], rel=0.05
    )


def test_a_random_table_has_the_size_of_one_whose_mean_is_not_zero() -> None:
    length = measured(5 + random_table(40, 20), "line").value.xs("length", level="measure")
    assert length["random"].item() == pytest.approx(length["table"].item(), rel=0.05)


def test_a_product_of_two_has_no_more_than_rank_two() -> None:
    table = random_table(30, 2) @ random_table(2, 10)
    expected = np.exp(entropy(np.linalg.svd(table - table.mean(axis=0), compute_uv=False)[:2]))
    assert measured(table, "line").value["table", "effective_rank", "", 0] == pytest.approx(
        expected, rel=1e-9
    )


def test_position_errors_are_of_each_fold() -> None:
    fold = np.arange(20) % 5
    found = read_out(random_table(20, 3), read_places("line", 20), fold)
    errors = [value for (measure, _, _), value in found if measure == "position_error"]
    assert len(set(errors)) == 5


def test_two_rows_in_turn_are_opposite_one_step_apart() -> None:
    value = measured(np.tile([[1.0, -1], [-1, 1]], (16, 1)), "line").value["table"]["cosine", "index"]
    assert value.to_dict() == pytest.approx({1: -1, 2: 1, 4: 1, 8: 1, 16: 1})


def test_a_table_of_equal_distances_has_no_alignment() -> None:
    rows = measured(np.eye(12), "line")
    assert np.isnan(rows.value["table", "alignment", "index", 0])
    assert rows.value["table", "effective_rank", "", 0] == pytest.approx(11)


def test_a_turned_sinusoid_mirrors_its_places_and_a_table_of_one_column_has_no_sinusoid() -> None:
    turn, _ = np.linalg.qr(random_table(24, 24))
    value = measured(sinusoid(np.arange(20.0), 24) @ turn, "line").value["table"]
    assert value["procrustes", "index", 0] == pytest.approx(0, abs=1e-5)
    assert value["procrustes_equal_size", "index", 0] == pytest.approx(0, abs=1e-9)
    assert measured(np.arange(20.0)[:, None], "line").value["table", "stress", "index", 0] == pytest.approx(0)
    assert ("table", "procrustes", "index", 0) not in measured(random_table(20, 1), "line").value


def test_one_row_that_differs_is_measured() -> None:
    table = np.zeros((20, 4))
    table[3] = 1
    value = measured(table, "line").value["table"]
    assert value["effective_rank", "", 0] == pytest.approx(1) and value[
        "order_right", "index", 0
    ] == pytest.approx(50, abs=10)


@settings(max_examples=20, deadline=None)
@given(n=st.integers(10, 30), d=st.integers(1, 40), seed=st.integers(0, 99))
def test_alignment_is_that_of_the_studies(n: int, d: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    table, places = generator.normal(size=(n, d)), generator.normal(size=(n, 2))
    found = dict(compare(table, {"a": compare_places(places)}, np.arange(n)[None]))
    assert found["alignment", "a", 0] == pytest.approx(align(table, cdist(places, places)))


@settings(max_examples=20, deadline=None)
@given(scale=st.floats(0.1, 10), seed=st.integers(0, 99))
def test_places_that_move_with_their_rows_change_nothing(scale: float, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(64)
    table = random_table(64, 5)
    moved = {"a": compare_places(SQUARE["square"][order])}
    fixed = {"a": compare_places(SQUARE["square"])}
    here = dict(compare(scale * table[order], moved, np.arange(64)[None]))
    assert here == pytest.approx(dict(compare(table, fixed, np.arange(64)[None])))
    # an order gives the rows themselves to other places
    assert dict(compare(table, moved, order[None])) == pytest.approx(here)


def test_order_that_is_read_backwards_is_never_right() -> None:
    fold = np.arange(20) % 5
    assert [value for _, value in order_right(np.arange(20.0), fold)] == [100] * 5
    assert [value for _, value in order_right(-np.arange(20.0), fold)] == [0] * 5
    assert [value for _, value in order_right(np.zeros(20), fold)] == [50] * 5


def test_places_nearer_than_half_a_step_are_one_step_apart() -> None:
    rings = compare_places(np.array([[0.0], [0.2], [1.4], [5.4]])).rings
    assert {length: np.transpose(pairs).tolist() for length, pairs in rings.items()} == {
        1: [[0, 1], [0, 2], [1, 2]],
        4: [[2, 3]],
    }

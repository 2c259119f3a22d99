from itertools import combinations

import numpy as np
import pytest

from stages.interventions.tables import (
    CONTROLS,
    draw_symmetry,
    interventions,
    match_norm,
    project_onto_components,
)
from stages.positions.positions import Positions
from stages.tasks.grid.facts import square_positions

TABLES = np.random.default_rng(0).normal(size=(3, 2, 16, 24))
GRID = square_positions(4)


def changes(positions: Positions = GRID) -> dict[tuple[str, float], np.ndarray]:
    every_change = interventions(TABLES, positions, {0.1: -TABLES}, np.random.default_rng(1))
    return {(name, amount): tables for name, amount, _, tables in every_change}


def test_changes_by_hand() -> None:
    tables = changes()
    np.testing.assert_array_equal(tables["unchanged", 0], TABLES)
    np.testing.assert_array_equal(tables["scaled", 0.5], TABLES / 2)
    np.testing.assert_array_equal(tables["other_seed", 1], TABLES[[1, 2, 0]])
    np.testing.assert_array_equal(tables["transplant", 0.1], -TABLES)
    moved = tables["permuted", 1]
    assert not np.array_equal(moved, TABLES)
    np.testing.assert_array_equal(np.sort(moved, axis=2), np.sort(TABLES, axis=2))


def test_every_intervention_comes_with_its_control() -> None:
    names = {name for name, _ in changes()}
    assert names == set(CONTROLS) | set(CONTROLS.values())
    assert {name for name, _ in changes(Positions(16))} == names - {"sinusoid", "symmetric"}


def test_symmetries_keep_lines_and_the_last_cell() -> None:
    same_line = GRID.distances["same_line"]
    random = np.random.default_rng(2)
    orders = [draw_symmetry(4, random) for _ in range(200)]
    for cells in orders:
        np.testing.assert_array_equal(same_line[np.ix_(cells, cells)], same_line)
        assert sorted(cells) == list(range(16)) and cells[-1] == 15
    assert len({tuple(cells) for cells in orders}) > 60  # 2 x 6 x 6 there are


def test_random_components_are_drawn_anew_and_are_not_the_best() -> None:
    every_change = interventions(TABLES, Positions(16), {}, np.random.default_rng(1))
    controls = [tables for *change, _, tables in every_change if change == ["random_components", 4]]
    for first, second in combinations([project_onto_components(TABLES, 4), *controls], 2):
        assert not np.allclose(first, second)


@pytest.mark.parametrize("k", [1, 4])
def test_components_are_the_best_of_their_rank_and_keep_the_mean(k: int) -> None:
    reduced = project_onto_components(TABLES, k)
    centred = TABLES - TABLES.mean(axis=2, keepdims=True)
    np.testing.assert_allclose(reduced.mean(axis=2), TABLES.mean(axis=2), atol=1e-12)
    values = np.linalg.svd(centred[1, 0], compute_uv=False)
    assert np.sum((reduced - TABLES)[1, 0] ** 2) == pytest.approx(np.sum(values[k:] ** 2))
    at_random = project_onto_components(TABLES, k, np.random.default_rng(0))
    differing = (at_random - at_random.mean(axis=2, keepdims=True))[1, 0]
    assert np.linalg.matrix_rank(differing) == k
    assert np.sum((at_random - TABLES)[1, 0] ** 2) > np.sum(values[k:] ** 2)


def test_a_diverged_replica_stays_apart() -> None:
    diverged = TABLES.copy()
    diverged[1] = np.nan
    projected = project_onto_components(diverged, 2)
    assert np.isnan(projected[1]).all()
    np.testing.assert_allclose(projected[[0, 2]], project_onto_components(TABLES, 2)[[0, 2]])


def test_all_random_directions_of_the_span_are_the_table() -> None:
    projected = project_onto_components(TABLES, 15, np.random.default_rng(0))
    np.testing.assert_allclose(projected, TABLES, atol=1e-12)


def test_norms_are_matched_table_by_table() -> None:
    replaced = match_norm(np.ones((16, 24)), TABLES)
    lengths = np.linalg.norm(TABLES, axis=(2, 3))
    np.testing.assert_allclose(np.linalg.norm(replaced, axis=(2, 3)), lengths)
    assert np.ptp(replaced[1, 0]) < 1e-12

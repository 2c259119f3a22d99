"""Measures of fetched tables, group by group of their rows, on tables whose places are known."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from changed_params import write_params, write_yaml
from hypothesis import given
from hypothesis import strategies as st
from small_studies import FETCHED, TABLES

from stages.core.measures.position_probes import folds
from stages.core.positions.sinusoids import sinusoid
from stages.files.artifacts import read_arrays
from stages.pretrained.measure import GROUPS, measure_rows, measure_study, spread
from stages.studies.judging.statistics import interval
from stages.studies.tables import PATCHES, SCORES, fetched_path, maps_path, read_table, report_path

ROOT = Path(__file__).parents[2]
KEY = ("length", "", 0)


@given(st.lists(st.floats(-100, 100, allow_subnormal=False), min_size=2, max_size=20))
def test_of_a_mean_each_group_s_value_is_the_group_s_own_mean(means: list[float]) -> None:
    def mean(values: list[float]) -> dict[tuple[str, str, int], float]:
        return {KEY: float(np.mean(values))}

    found = spread(mean(means), [mean(means[:one] + means[one + 1 :]) for one in range(len(means))])
    np.testing.assert_allclose([one[KEY] for one in found], means, atol=1e-9)


def test_a_distance_that_only_two_rows_have_is_left_out() -> None:
    far, found = ("cosine", "index", 64), [{KEY: 1.0}, {KEY: 2.0, ("cosine", "index", 64): 0.1}]
    assert [set(one) for one in spread({KEY: 1.5, far: 0.1}, found)] == [{KEY}, {KEY}]


def test_the_interval_over_groups_tells_how_far_a_number_hangs_on_the_rows() -> None:
    """The error of the spread is that over tables drawn again, for a number that is no mean."""
    random, found = np.random.default_rng(0), []
    for _ in range(300):
        rows = random.exponential(size=(200,))
        groups = random.permutation(np.arange(200) % GROUPS)
        without = [{KEY: float(np.log(rows[groups != one].mean()))} for one in range(GROUPS)]
        values = spread({KEY: float(np.log(rows.mean()))}, without)
        low, high = interval(np.array([one[KEY] for one in values]))
        found.append(low < 0 < high)
    assert 0.91 < np.mean(found) < 0.98


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a sinusoid on a line, and one of rows and columns on a square."""
    root = tmp_path_factory.mktemp("project")
    tables = {"line": FETCHED, "square": FETCHED | {"positions": "square:9x12"}}
    write_params(root, {})
    write_yaml(root / "studies/own.yaml", TABLES | {"tables": tables})
    down, across = np.indices((9, 12)).reshape(2, -1).astype(np.float64)
    of_square = np.concatenate([sinusoid(down, 16), sinusoid(across, 16)], axis=1)
    for name, table in (("line", sinusoid(np.arange(120.0), 16)), ("square", of_square)):
        path = root / fetched_path("own", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, table.astype(np.float32))
    measure_study(root, "own")
    return root


def test_rows_that_are_left_out_count_nowhere() -> None:
    random = np.random.default_rng(0)
    table, kept = sinusoid(np.arange(60.0), 8) + random.normal(size=(60, 8)), random.random(60) < 0.8
    places, fold = {"index": np.arange(60.0)[:, None]}, folds(60, random)
    found = measure_rows(table, places, [fold], kept)
    every = np.ones(kept.sum(), bool)
    alone = measure_rows(table[kept], {"index": places["index"][kept]}, [fold[kept]], every)
    assert found == alone and found["steps_to_half", "index", 0] > 0


def means_of(root: Path, study: str) -> "pd.Series[float]":
    return read_table(root / report_path(study, "scores")).groupby(["cell", "at", "metric"]).value.mean()


def test_tables_hold_their_places_and_chance_does_not(project: Path) -> None:
    scores = read_table(project / report_path("own", "scores"))
    assert list(scores.columns) == SCORES and set(scores.seed) == set(range(GROUPS))
    mean = means_of(project, "own")
    assert mean["line", "index", "alignment"] > 0.5 and mean["line", "index", "position_error"] < 5
    assert mean["square", "square", "alignment"] > mean["square", "index", "alignment"] + 0.1
    for null in ("line_shuffled", "line_random", "square_shuffled", "square_random"):
        assert abs(mean[null, "index", "alignment"]) < 0.1 and mean[null, "index", "position_error"] > 20
        assert (null, "index", "steps_to_half") not in mean
    assert 1 < mean["line", "index", "steps_to_half"] < 30


def test_maps_show_all_of_a_line_and_some_patches_of_a_square(project: Path) -> None:
    maps = read_arrays(project / maps_path("own"))
    assert maps["line"].shape == (120, 120) and (np.diag(maps["line"]) == 100).all()
    assert maps["square"].shape == (len(PATCHES), 9, 12)
    for (down, across), shown in zip(PATCHES.values(), maps["square"], strict=True):
        assert shown[int(9 * down), int(12 * across)] == 100


def test_committed_numbers_are_those_first_measured() -> None:
    """They were measured by hand and by other code, from the same wheels: within a unit of the last digit."""
    mean = means_of(ROOT, "pretrained")
    for cell, cosines in {
        "minilm": {1: 0.85, 2: 0.59, 4: 0.50, 8: 0.29, 32: 0.22, 128: 0.08},
        "whisper": {1: 0.82, 2: 0.77, 4: 0.69, 8: 0.60, 32: 0.58, 128: 0.16},
    }.items():
        for steps, cosine in cosines.items():
            assert mean[cell, "index", f"cosine_{steps}"] == pytest.approx(cosine, abs=0.01)
    assert mean["dinov2", "square", "alignment"] == pytest.approx(0.61, abs=0.01)
    assert mean["dinov2", "index", "alignment"] == pytest.approx(0.53, abs=0.01)

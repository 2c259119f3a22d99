import pandas as pd
import pytest

from stages.measures import headline

RUNS = pd.DataFrame(
    [("focus", 0, 0.5), ("focus", 1, 0.7), ("other", 0, 9.0), ("floor_gaussian", 0, 0.4)],
    columns=["encoding", "seed", "value"],
)
ALIGNED = pd.DataFrame(
    [
        ("focus", 0, "all", "graph_distance", "spearman", 0.2),
        ("focus", 1, "all", "graph_distance", "spearman", 0.4),
        ("focus", 2, "all", "graph_distance", "spearman", float("nan")),
        ("focus", 0, "0", "graph_distance", "spearman", 9.0),
        ("focus", 0, "all", "graph_distance", "pearson_cosine", 9.0),
        ("focus", 0, "all", "communities", "spearman", 9.0),
        ("other", 0, "all", "graph_distance", "spearman", 9.0),
    ],
    columns=["encoding", "seed", "block", "reference", "measure", "value"],
)


def test_score_is_the_mean_over_seeds_and_its_ratio_to_the_floor() -> None:
    expected = {"validation_mse": pytest.approx(0.6), "mse_over_gaussian_floor": pytest.approx(1.5)}
    assert headline.score(RUNS, "focus", "validation_mse") == expected
    without_floor = RUNS[RUNS.encoding != "floor_gaussian"]
    assert headline.score(without_floor, "focus", "accuracy") == {"accuracy": pytest.approx(0.6)}


def test_alignment_is_the_mean_over_finite_seeds() -> None:
    expected = {"alignment_graph_distance": pytest.approx(0.3)}
    assert headline.alignment(ALIGNED, "focus", "graph_distance") == expected


def test_a_configuration_without_rows_has_no_numbers() -> None:
    assert headline.score(RUNS, "skipped", "validation_mse") == {}
    assert headline.alignment(ALIGNED, "skipped", "graph_distance") == {}
    assert headline.alignment(ALIGNED, "other", "communities") == {}

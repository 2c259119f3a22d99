import pandas as pd
import pytest

from stages.measures import headline

RUNS = pd.DataFrame(
    [
        ("focus", 0, "validation", "mse", 0.5),
        ("focus", 1, "validation", "mse", 0.7),
        ("focus", 0, "validation", "r2", 0.1),
        ("focus", 0, "test", "mse", 9.0),
        ("floor_gaussian", 0, "validation", "mse", 0.4),
    ],
    columns=["encoding", "seed", "split", "metric", "value"],
)
ALIGNED = pd.DataFrame(
    [
        ("focus", 0, "all", "graph_distance", "spearman", 0.2),
        ("focus", 1, "all", "graph_distance", "spearman", 0.4),
        ("focus", 0, "0", "graph_distance", "spearman", 9.0),
        ("focus", 0, "all", "graph_distance", "pearson_cosine", 9.0),
        ("other", 0, "all", "communities", "spearman", 9.0),
    ],
    columns=["encoding", "seed", "block", "reference", "measure", "value"],
)


def test_score_is_the_mean_over_seeds_and_its_ratio_to_the_floor() -> None:
    numbers = headline.score(RUNS, "focus", "validation", "mse")
    assert numbers == {"validation_mse": pytest.approx(0.6), "mse_over_gaussian_floor": pytest.approx(1.5)}


def test_alignment_is_with_the_first_reference_there_is() -> None:
    assert headline.alignment(ALIGNED, "focus", ["communities", "graph_distance"]) == {
        "alignment_graph_distance": pytest.approx(0.3)
    }


def test_what_was_not_trained_has_no_numbers() -> None:
    assert headline.score(RUNS, "skipped", "validation", "mse") == {}
    assert headline.alignment(ALIGNED, "skipped", ["communities"]) == {}

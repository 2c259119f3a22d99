from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from made_up import TASKS, project

from stages import align_tables, evaluate
from stages.files import artifacts
from stages.tasks.facts import find_facts

RUNS = pd.DataFrame(
    [("focus", 0, 0.5), ("focus", 1, 0.7), ("other", 0, 9.0), ("floor_gaussian", 0, 0.4)],
    columns=["encoding", "seed", "value"],
).assign(task="network", split="validation", metric="mse")
ALIGNED = pd.DataFrame(
    [
        ("focus", 0, "all", "communities", "spearman", 0.2),
        ("focus", 1, "all", "communities", "spearman", 0.4),
        ("focus", 2, "all", "communities", "spearman", float("nan")),
        ("focus", 0, "0", "communities", "spearman", 9.0),
        ("focus", 0, "all", "communities", "pearson_cosine", 9.0),
        ("focus", 0, "all", "graph_distance", "spearman", 9.0),
        ("other", 0, "all", "communities", "spearman", 9.0),
    ],
    columns=["encoding", "seed", "block", "reference", "measure", "value"],
)


def test_runs_hold_every_score(analysed: Path) -> None:
    runs = artifacts.read_csv(analysed / "reports/tables/runs.csv")
    scores = [artifacts.read_csv(analysed / f"data/scores/{task}.csv") for task in TASKS]
    assert len(runs) == sum(map(len, scores))
    columns = ["task", "encoding", "seed", "split", "metric", "value", "trained_on", "scored_on"]
    assert list(runs.columns) == columns
    assert set(runs[runs.trained_on.notna()].task) == {"recordings"}


def test_alignment_finds_the_structure_that_was_made_up(analysed: Path) -> None:
    aligned = artifacts.read_csv(analysed / "reports/tables/alignment.csv")
    joined = aligned[(aligned.block == "all") & (aligned.measure == "spearman")]
    value = joined.groupby(["task", "reference", "encoding"]).value.mean()
    p_value = joined.groupby(["task", "reference", "encoding"]).p_value.max()
    reference_of = {"grid": "sinusoid_2d", "network": "communities", "recordings": "mm_distance"}
    for task, reference in reference_of.items():
        assert value[task, reference, "focus"] > 0.4 > value[task, reference, "learned_s200"]
        assert p_value[task, reference, "focus"] == pytest.approx(0.001)
    of_recordings = set(joined[joined.task == "recordings"].reference)
    assert of_recordings == {"mm_distance", "structural", "functional", "yeo7"}
    assert "none" not in set(aligned.encoding)


def test_single_blocks_stand_in_a_table_of_their_own(analysed: Path) -> None:
    whole = artifacts.read_csv(analysed / "reports/tables/alignment.csv", block=str)
    blocks = artifacts.read_csv(analysed / align_tables.BLOCKS, block=str)
    assert set(whole[whole.block != "all"].measure) == {"content_accuracy", "position_accuracy"}
    assert "all" not in set(blocks.block) and len(blocks)
    joined, single = (rows[rows.measure == "spearman"] for rows in (whole, blocks))
    keys = ["task", "encoding", "seed", "reference"]
    assert set(map(tuple, joined[keys].to_numpy())) == set(map(tuple, single[keys].to_numpy()))


def test_grids_are_compared_with_both_sinusoids_and_networks_with_none(analysed: Path) -> None:
    aligned = artifacts.read_csv(analysed / "reports/tables/alignment.csv", block=str)
    turned = aligned[aligned.measure.isin(["cka", "procrustes"])]
    value = turned.groupby(["task", "measure", "reference", "encoding"]).value.mean()
    for measure in ("cka", "procrustes"):
        assert value["grid", measure, "sinusoid_2d", "focus"] > value["grid", measure, "sinusoid_1d", "focus"]
        assert value["network", measure, "communities", "focus"] > 0.8
    assert "sinusoid_1d" not in set(turned.reference[turned.task.isin(["network", "recordings"])])
    assert turned.p_value.min() == pytest.approx(0.001)


def test_metrics_are_means_over_finite_seeds_and_the_ratio_to_the_floor() -> None:
    facts = find_facts("network")
    of_score = {"validation_mse": 0.6, "mse_over_gaussian_floor": 1.5}
    of_tables = {"alignment_communities": 0.3}
    others = RUNS[RUNS.encoding != "focus"]
    assert align_tables.headlines(facts, RUNS, ALIGNED) == of_score | of_tables
    assert align_tables.headlines(facts, others, ALIGNED) == of_tables
    without_floor = RUNS[RUNS.encoding != "floor_gaussian"]
    assert align_tables.headlines(facts, without_floor, ALIGNED.iloc[-1:]) == {"validation_mse": 0.6}


def test_metrics_are_of_each_task_s_score_and_judging_reference(analysed: Path) -> None:
    metrics = artifacts.read_json(analysed / "reports/metrics.json")
    assert set(metrics["grid"]) == {"validation_accuracy", "alignment_same_line"}
    of_recordings = {"validation_mse", "mse_over_gaussian_floor", "alignment_functional"}
    assert set(metrics["recordings"]) == of_recordings


def test_similarity_maps_are_named_by_task_and_configuration(analysed: Path) -> None:
    similarity = artifacts.read_arrays(analysed / "data/analysis/similarity.npz")
    assert {"grid__focus", "grid__true_same_line", "recordings__learned_s200"} <= set(similarity)
    assert "network__sinusoidal_nd" not in similarity  # skipped
    np.testing.assert_allclose(np.diag(similarity["network__focus"]), 1.0)


def test_sinusoids_are_as_claimed(analysed: Path) -> None:
    claims = artifacts.read_csv(analysed / "reports/tables/fixed_encodings.csv")
    waves, residuals = claims[claims.kind == "wavelength"], claims[claims.kind == "residual"]
    np.testing.assert_allclose(waves.measured, waves.formula, rtol=1e-8)
    assert len(waves) == sum(width // 2 for width in align_tables.SINUSOID_WIDTHS)
    assert residuals.groupby("width")["at"].nunique().tolist() == [254, 254]
    assert residuals.measured.max() < 1e-10


def test_only_an_encoding_without_tables_is_enough(tmp_path: Path) -> None:
    nothing = {"scheme": "none"}
    project(tmp_path, {"none": nothing}, focus=nothing, seeds=1)
    for task in TASKS:
        evaluate.evaluate(tmp_path, task)
    align_tables.main(tmp_path)
    assert pd.read_csv(tmp_path / "reports/tables/alignment.csv").empty
    assert set(artifacts.read_json(tmp_path / "reports/metrics.json")["grid"]) == {"validation_accuracy"}

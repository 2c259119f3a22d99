from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from made_up import TASKS, project

from stages import align_tables, evaluate
from stages.files import artifacts


def test_runs_hold_every_score(analysed: Path) -> None:
    runs = artifacts.read_csv(analysed / "reports/tables/runs.csv")
    scores = [artifacts.read_csv(analysed / f"data/scores/{task}.csv") for task in TASKS]
    assert len(runs) == sum(map(len, scores))
    assert list(runs.columns) == ["task", "encoding", "seed", "split", "metric", "value"]


def test_alignment_finds_the_structure_that_was_made_up(analysed: Path) -> None:
    aligned = artifacts.read_csv(analysed / "reports/tables/alignment.csv")
    one = aligned[(aligned.block == "all") & (aligned.measure == "spearman")]
    value = one.groupby(["task", "reference", "encoding"]).value.mean()
    p_value = one.groupby(["task", "reference", "encoding"]).p_value.max()
    for task, reference in [
        ("grid", "sinusoid_2d"),
        ("network", "communities"),
        ("recordings", "mm_distance"),
    ]:
        assert value[task, reference, "focus"] > 0.4 > value[task, reference, "learned_s200"]
        assert p_value[task, reference, "focus"] == pytest.approx(0.001)
    assert set(one[one.task == "recordings"].reference) == {
        "mm_distance",
        "structural",
        "functional",
        "yeo7",
    }
    assert "none" not in set(aligned.encoding)


def test_grids_are_compared_with_both_sinusoids_and_networks_with_none(analysed: Path) -> None:
    aligned = artifacts.read_csv(analysed / "reports/tables/alignment.csv", block=str)
    turned = aligned[aligned.measure.isin(["cka", "procrustes"])]
    value = turned.groupby(["task", "measure", "reference", "encoding"]).value.mean()
    for measure in ("cka", "procrustes"):
        assert value["grid", measure, "sinusoid_2d", "focus"] > value["grid", measure, "sinusoid_1d", "focus"]
        assert value["network", measure, "communities", "focus"] > 0.8
    assert "sinusoid_1d" not in set(turned.reference[turned.task.isin(["network", "recordings"])])
    assert turned.p_value.min() == pytest.approx(0.001)


def test_metrics_are_the_focus_numbers(analysed: Path) -> None:
    metrics = artifacts.read_json(analysed / "reports/metrics.json")
    runs = artifacts.read_csv(analysed / "reports/tables/runs.csv")
    mse = runs[(runs.split == "validation") & (runs.metric == "mse") & (runs.task == "network")]
    mean = mse.groupby("encoding").value.mean()
    assert metrics["network"]["validation_mse"] == pytest.approx(mean["focus"], abs=1e-6)
    ratio = metrics["network"]["mse_over_gaussian_floor"]
    assert ratio == pytest.approx(mean["focus"] / mean["floor_gaussian"], abs=1e-6)
    assert set(metrics["grid"]) == {"validation_accuracy", "alignment_same_line"}
    assert set(metrics["recordings"]) == {
        "validation_mse",
        "mse_over_gaussian_floor",
        "alignment_functional",
    }


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

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from stages.files.artifacts import read_arrays, read_csv


def means(analysed: Path, table: str, measure: str) -> pd.Series:
    rows = read_csv(analysed / f"reports/tables/{table}.csv", block=str)
    chosen = rows[(rows.block == "all") & (rows.measure == measure)]
    keys = [key for key in ("task", "reference", "given", "encoding") if key in chosen]
    return chosen.groupby(keys).value.mean()


def test_tables_that_hardly_moved_did_so(analysed: Path) -> None:
    assert means(analysed, "geometry", "relative_change").max() < 1e-6  # rounded to float32 alone
    ranks = means(analysed, "geometry", "effective_rank")
    assert ranks["network", "focus"] < ranks["network", "learned_s200"]


def test_communities_that_were_made_up_are_found(analysed: Path) -> None:
    agreed = means(analysed, "communities", "ami")
    assert agreed["network", "communities", "focus"] == pytest.approx(1)
    assert agreed["network", "communities", "learned_s200"] < 0.5
    references = {"rows", "columns", "communities", "yeo7", "hemispheres"}
    assert set(agreed.index.get_level_values("reference")) == references
    labels = read_arrays(analysed / "data/analysis/communities.npz")["network__focus"]
    assert len(set(zip(labels.tolist(), np.repeat([0, 1, 2], 4), strict=True))) == 3


def test_coordinates_explain_the_recordings_beyond_networks(analysed: Path) -> None:
    beyond = means(analysed, "partial", "partial_spearman")
    assert beyond["recordings", "mm_distance", "yeo7", "focus"] > 0.4
    assert beyond["recordings", "mm_distance", "yeo7", "learned_s200"] < 0.2


def test_layouts_lie_on_the_true_positions_where_tables_hold_them(analysed: Path) -> None:
    found = read_arrays(analysed / "data/analysis/layouts.npz")
    assert found["recordings__true_layout"].shape[1] == 3 and found["network__true_layout"].shape == (12, 2)
    true = found["grid__true_layout"]
    error = {name: np.linalg.norm(found[f"grid__{name}"][0] - true) for name in ("focus", "learned_s200")}
    assert error["focus"] < 0.5 * error["learned_s200"]
    assert "probe__focus" not in found

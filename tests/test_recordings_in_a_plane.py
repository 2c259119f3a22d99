"""Recordings of sensors in a plane, with neither groups nor structural weights, through to the report."""

from pathlib import Path

import made_up
import numpy as np
import pandas as pd
import pytest

from stages import align_tables, describe_tables
from stages.files.artifacts import Arrays


def sensors(random: np.random.Generator) -> Arrays:
    places = random.uniform(0, 10, (20, 2))
    far = np.linalg.norm(places[:, None] - places, axis=-1)
    covariance = np.exp(-far / 4)
    named = {"labels": np.array([f"sensor {index}" for index in range(20)])}
    return made_up.frames(covariance, random) | {"coordinates": places, "functional": covariance} | named


@pytest.mark.slow
def test_figures_and_report_are_made_of_what_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(made_up, "recordings", sensors)
    page = made_up.reported(tmp_path / "project").read_text()
    assert "the plane of the given positions" in page
    alignment = pd.read_csv(tmp_path / "project" / align_tables.ALIGNMENT)
    assert {"distance", "functional"} <= set(alignment[alignment.task == "recordings"].reference)
    assert not {"mm_distance", "structural", "yeo7"} & set(alignment.reference)
    communities = pd.read_csv(tmp_path / "project" / describe_tables.COMMUNITIES)
    assert "recordings" in set(communities.task)
    assert (tmp_path / "project/reports/figures/brain.png").stat().st_size > 0

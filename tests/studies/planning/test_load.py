"""Names of studies that there are not."""

from pathlib import Path

import pytest
from small_studies import write_study

from stages.studies.planning.plan import plan_study


def test_an_unknown_study_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="study 'x' is not known; expected one of own"):
        plan_study(write_study(tmp_path, {}), "x")


@pytest.mark.parametrize("name", ["own.yaml", "studies/own.yaml", "own.yml", "../studies/own"])
def test_a_study_is_named_without_its_folder_and_ending(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match=f"study '{name}' given, expected its name alone; write own"):
        plan_study(write_study(tmp_path, {}), name)


def test_a_study_in_a_file_of_another_ending_is_told(tmp_path: Path) -> None:
    (write_study(tmp_path, {}) / "studies/own.yaml").rename(tmp_path / "studies/heads.yml")
    with pytest.raises(ValueError, match="studies/heads.yml found, .*; rename it to heads.yaml"):
        plan_study(tmp_path, "heads")

from pathlib import Path

import pytest

from stages.files.own import find_own


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("own/a.csv", False),
        ("own/deep/a.csv", False),
        ("a.csv", True),
        ("own/../a.csv", True),
        ("/a.csv", True),
    ],
)
def test_a_file_outside_the_folder_that_dvc_watches_is_said(
    name: str, said: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert find_own(tmp_path, name, "grid.puzzles") == tmp_path / name
    assert (
        f"grid.puzzles: {name} is not in own/, so edits of it go unnoticed" in capsys.readouterr().out
    ) == said

from pathlib import Path

import pytest
from commands import ROOT
from reported_project import make_project

from stages.reporting.captions import describe_figure, write_caption
from stages.studies.planning.load import load_study
from stages.studies.tables import read_tables


def test_lines_are_told_from_end_to_end(tmp_path: Path) -> None:
    root = make_project(tmp_path)
    said = describe_figure(load_study(root, "sigma"), read_tables(root, "sigma"))
    assert said == (
        "Line charts against σ. Latin-square puzzles, validation accuracy of learned: 0.95 at σ 0.2 and "
        "0.35 at σ 2. Lines: learned and no encoding."
    )


@pytest.mark.parametrize(
    ("study", "seen"),
    [
        ("words", "Even tokens, test accuracy: 4 differences, 4 with an interval above 0 and 0 below it."),
        ("pretrained", "Similarity maps of the tables of MiniLM, Whisper and DINOv2 and of the truth."),
    ],
)
def test_rows_and_maps_are_told(study: str, seen: str) -> None:
    assert seen in describe_figure(load_study(ROOT, study), read_tables(ROOT, study))


def test_small_print_is_of_what_is_drawn() -> None:
    published, words = (write_caption(load_study(ROOT, name)) for name in ("published", "words"))
    assert "published means" in published and "Dots are seeds" in published
    assert words.startswith("Mean difference") and "Dots" not in words

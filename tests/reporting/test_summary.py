"""README's table of means: each number is a cell's mean on one split, a dash where there is none."""

from pathlib import Path

import pandas as pd

from stages.files.artifacts import write_csv
from stages.reporting import summary
from stages.studies.tables import SCORES, report_path


def write_scores(root: Path, study: str, *rows: tuple[object, ...]) -> None:
    write_csv(root / report_path(study, "scores"), pd.DataFrame(rows, columns=SCORES))


def test_a_number_is_the_mean_of_its_cell_s_seeds_alone(tmp_path: Path) -> None:
    write_scores(
        tmp_path,
        "published",
        ("grid", "learned", "0.2", 0, "validation", "accuracy", 0.9),
        ("grid", "learned", "0.2", 1, "validation", "accuracy", 0.7),
        ("grid", "learned", "0.2", 0, "train", "accuracy", 0.1),
        ("grid", "learned", "2", 0, "validation", "accuracy", 10.2),
        ("grid", "learned", "0.2", 0, "tables", "alignment", -0.126),
        ("grid", "mds", "", 0, "validation", "accuracy", 1.0),
        ("grid", "random", "", 0, "validation", "accuracy", 0.5),
        ("grid", "random", "", 1, "validation", "accuracy", None),
    )
    head, _, *lines = summary.write_summary(tmp_path).splitlines()
    assert head.startswith(
        "| mean (n models) | puzzles solved, paper's size (2) | puzzles solved, small models | "
    )
    found = {says: of for says, *of in (line.strip("| ").split(" | ") for line in lines)}
    assert found["learned, σ 0.2"] == [".80", "–", "–", "–"]
    assert found["learned, σ 2"][0] == "10.20"
    assert found["*alignment*, σ 0.2"][0] == "−.13"
    assert found["frozen, with true distances"][0] == "1.00"
    assert found["random, frozen, σ 0.2"][0] == "–"  # a seed diverged
    assert found["linear regression"] == ["–", "–", "–", "–"]


def test_every_number_is_in_the_scores_in_git() -> None:
    lines = summary.write_summary(Path(__file__).parents[2]).splitlines()
    # no coordinates on networks, no linear regression on puzzles, and none on pairs that are new to it
    assert sum(line.count("–") for line in lines) == 4

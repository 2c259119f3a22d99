"""What a study's scores say, in reports/studies/<study>: differences, verdicts, the figure and the page."""

import argparse
from pathlib import Path

from matplotlib.figure import Figure

from stages.figures import lines, rows, style, tables
from stages.files import artifacts
from stages.reporting.page import study_page
from stages.running.command import run
from stages.studies.beside import read_beside
from stages.studies.compare import compare
from stages.studies.judge import judge
from stages.studies.load import load_study
from stages.studies.rendering import require_expanded
from stages.studies.tables import REPORTS, maps_path, read_table, report_path


def conclude(root: Path, name: str) -> None:
    """Compare the study's cells and judge its claims, then draw. InputError where it has no scores."""
    study = load_study(root, name)
    scores = read_table(artifacts.require(root / report_path(name, "scores"), "stages.studies.gather"))
    artifacts.write_csv(root / report_path(name, "differences"), compare(study, scores))
    artifacts.write_csv(root / report_path(name, "verdicts"), judge(study, scores, read_beside(root, study)))
    draw(root, name)


def draw_figure(root: Path, name: str) -> Figure:
    """The study's tables as its `figure` asks."""
    study, scores = load_study(root, name), read_table(root / report_path(name, "scores"))
    match study.figure.kind:
        case "lines":
            return lines.draw(study, scores, read_beside(root, study))
        case "rows":
            return rows.draw(study, read_table(root / report_path(name, "differences")), scores)
        case "tables":
            path = root / maps_path(name)
            return tables.draw(study, scores, artifacts.read_arrays(path) if path.exists() else {})


def draw(root: Path, name: str) -> None:
    """Draw the study's figure, and write its page around it."""
    with style.house():
        style.write(draw_figure(root, name), root / REPORTS / name / "figure.png")
    artifacts.write_bytes(root / REPORTS / name / "page.html", study_page(root, name).encode())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--study", required=True, help="a file of studies/")
    name = parser.parse_args().study
    require_expanded(Path(), name)
    conclude(Path(), name)


if __name__ == "__main__":
    run(main)

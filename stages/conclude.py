"""What a study's scores say, in reports/studies/<study>: differences, verdicts, the figure and the page."""

from pathlib import Path

from matplotlib.figure import Figure

from stages.figures import lines, rows, style, tables
from stages.files import artifacts
from stages.reporting.page import study_page
from stages.studies.beside import read_beside
from stages.studies.compare import compare
from stages.studies.judge import judge
from stages.studies.load import load_study
from stages.studies.tables import REPORTS, maps_path, read_table, report_path


def conclude(root: Path, study: str) -> None:
    """Compare a study's cells and judge its claims, then draw. Raises InputError where it has no scores."""
    read = load_study(root, study)
    scores = read_table(artifacts.require(root / report_path(study, "scores"), f"stages score {study}"))
    artifacts.write_csv(root / report_path(study, "differences"), compare(read, scores))
    artifacts.write_csv(root / report_path(study, "verdicts"), judge(read, scores, read_beside(root, read)))
    draw(root, study)


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

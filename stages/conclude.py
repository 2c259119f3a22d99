"""Draw conclusions from a study's scores: differences, verdicts, the figure and the page.

They are in reports/studies/<study>.
"""

from pathlib import Path

from matplotlib.figure import Figure

from stages.core.settings.errors import InputError
from stages.figures import lines, rows, scatter, style, tables
from stages.files import artifacts
from stages.parameters import params
from stages.reporting.page import study_page
from stages.reporting.sections import read_section
from stages.studies.beside import read_beside
from stages.studies.cells import STUDIES
from stages.studies.compare import compare
from stages.studies.hold_scores import find_strays
from stages.studies.judge import judge
from stages.studies.load import load_study
from stages.studies.schema import Study
from stages.studies.tables import REPORTS, Tables, maps_path, read_table, read_tables, report_path


def conclude(root: Path, name: str) -> None:
    """Compare a study's cells and judge its claims, then draw. Raises InputError where it has no scores."""
    study, scale = load_study(root, name), params.load(root / params.FILE).scale
    scores = read_table(artifacts.require(root / report_path(name, "scores"), f"stages score {name}"))
    if strays := find_strays(root, name, scores):
        raise InputError(
            f"{report_path(name, 'scores')}: {strays[0]}, one of {len(strays)}; undo the change of "
            f"{STUDIES / name}.yaml or params.yaml, or train and score it again: `make study NAME={name}`"
        )
    artifacts.write_csv(root / report_path(name, "differences"), compare(study, scores))
    artifacts.write_csv(root / report_path(name, "verdicts"), judge(study, scores, read_beside(root, study)))
    written = read_tables(root, name)
    with style.house():
        style.write(draw_figure(root, name, study, written), root / REPORTS / name / "figure.png")
    page = study_page(read_section(root, name), scale)
    artifacts.write_bytes(root / REPORTS / name / "page.html", page.encode())


def draw_figure(root: Path, name: str, study: Study, written: Tables) -> Figure:
    """Draw a study's tables as its `figure` asks."""
    match study.figure.kind:
        case "lines":
            return lines.draw(study, written["scores"], read_beside(root, study))
        case "rows":
            return rows.draw(study, written["differences"], written["scores"])
        case "scatter":
            return scatter.draw(study, written["scores"])
        case "tables":
            path = root / maps_path(name)
            return tables.draw(study, written["scores"], artifacts.read_arrays(path) if path.exists() else {})

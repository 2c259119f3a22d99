"""Draw conclusions from a study's scores: differences, verdicts, the figure and the page.

They are in reports/studies/<study>.
"""

from pathlib import Path

from stages.core.settings.errors import InputError
from stages.figures import style
from stages.figures.study import draw_study
from stages.files import artifacts
from stages.parameters import params
from stages.reporting.page import study_page
from stages.reporting.pictures import measure_picture
from stages.reporting.sections import FIGURE, make_section
from stages.studies.cells import STUDIES
from stages.studies.judging.beside import read_beside
from stages.studies.judging.compare import find_differences
from stages.studies.judging.hold_scores import find_strays
from stages.studies.judging.judge import judge
from stages.studies.planning.load import load_study
from stages.studies.tables import REPORTS, read_similarities, report_path, require_scores, write_tables


def conclude(root: Path, name: str) -> None:
    """Compare a study's cells and judge its claims, then draw. Raises InputError where it has no scores."""
    scale, study = params.load(root / params.FILE).scale, load_study(root, name)
    scores, published = require_scores(root, name), read_beside(root, study)
    if strays := find_strays(root, name, study, scores):
        raise InputError(
            f"{report_path(name, 'scores')}: {strays[0]}, one of {len(strays)}; undo the change of "
            f"{STUDIES / name}.yaml or params.yaml, or train and score it again: `make study NAME={name}`"
        )
    folder, maps = root / REPORTS / name, read_similarities(root, name)
    made = {"differences": find_differences(study, scores), "verdicts": judge(study, scores, published)}
    tables = {"scores": scores, **write_tables(root, name, made)}
    with style.house():
        style.write(draw_study(study, tables, published, maps), folder / FIGURE)
    page = study_page(make_section(name, study, tables, size=measure_picture(folder / FIGURE)), scale)
    artifacts.write_bytes(folder / "page.html", page.encode())

"""What a study's scores say, in reports/studies/<study>: differences, verdicts, the figure and the page."""

import argparse
from pathlib import Path

from stages.figures import style
from stages.figures.study import draw_study, read_beside
from stages.files import artifacts
from stages.reporting.page import study_page
from stages.running.command import run
from stages.studies.compare import compare
from stages.studies.judge import judge
from stages.studies.rendering import require_expanded
from stages.studies.schema import load_study
from stages.studies.tables import REPORTS, maps_path, read_table, report_path


def conclude(root: Path, name: str) -> None:
    """Compare the study's cells and judge its claims, then draw. InputError where it has no scores."""
    study = load_study(root, name)
    scores = read_table(artifacts.require(root / report_path(name, "scores"), "stages.studies.gather"))
    published = artifacts.read_csv(root / study.beside) if study.beside else None
    artifacts.write_csv(root / report_path(name, "differences"), compare(study, scores))
    artifacts.write_csv(root / report_path(name, "verdicts"), judge(study, scores, published))
    draw(root, name)


def draw(root: Path, name: str) -> None:
    """Draw the study's tables, and write its page around them."""
    study = load_study(root, name)
    tables = {
        table: read_table(root / path)
        for table in ("scores", "differences", "curves")
        if (root / (path := report_path(name, table))).exists()
    }
    maps = artifacts.read_arrays(root / maps_path(name)) if (root / maps_path(name)).exists() else None
    with style.house():
        figure = draw_study(
            study,
            tables["scores"],
            tables["differences"],
            tables.get("curves"),
            read_beside(root, study),
            maps,
        )
        style.write(figure, root / REPORTS / name / "figure.png")
    artifacts.write_bytes(root / REPORTS / name / "page.html", study_page(root, name).encode())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--study", required=True, help="a file of studies/")
    name = parser.parse_args().study
    require_expanded(Path(), name)
    conclude(Path(), name)


if __name__ == "__main__":
    run(main)

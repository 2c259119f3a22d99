"""Figure, report, lists of claims and metrics, from the tables of every study that ran here."""

from pathlib import Path

from stages.figures import brain, overview, style
from stages.files import artifacts
from stages.files.artifacts import Arrays
from stages.parameters import params
from stages.reporting import readme
from stages.reporting.claims_list import CLAIMS, write_claims
from stages.reporting.page import render
from stages.reporting.whole import METRICS, REPORT, STUDY, make_page, measure_focus, read_maps, read_scores
from stages.studies.judging.beside import read_beside
from stages.studies.planning.load import load_study
from stages.studies.schema import Study, list_studies

FIGURE, BRAIN = Path("reports/figure.png"), Path("reports/brain.png")
BRAIN_DOTS = 100  # per inch: its many lines take ten times the bytes of other pictures
AT_PUBLISHED_SIZE, UNTRAINED, NEW_PAIRS = "published", "size_alone", "unseen_pairs"  # in the figure


def draw_figures(root: Path, maps: Arrays) -> None:
    at_published_size, small = (load_known(root, name) for name in (AT_PUBLISHED_SIZE, STUDY))
    published = read_beside(root, at_published_size) if at_published_size else None
    with style.house():
        scores, mapped = read_scores(root, AT_PUBLISHED_SIZE), read_scores(root, STUDY)
        untrained, new_pairs = (read_scores(root, name) for name in (UNTRAINED, NEW_PAIRS))
        figure = overview.draw(
            at_published_size, scores, published, untrained, new_pairs, small, mapped, maps
        )
        style.write(figure, root / FIGURE)
        style.write(brain.draw(maps), root / BRAIN, dots=BRAIN_DOTS)


def load_known(root: Path, name: str) -> Study | None:
    """Load a study; nothing where there is none of that name."""
    return load_study(root, name) if name in list_studies(root) else None


def report(root: Path) -> None:
    """Draw the figures and write the report, the table of claims in README and the metrics."""
    settings, maps = params.load(root / params.FILE), read_maps(root)
    draw_figures(root, maps)
    page = make_page(root, settings, maps)
    artifacts.write_bytes(root / REPORT, render(page).encode())
    artifacts.write_json(root / METRICS, measure_focus(read_scores(root, STUDY)))
    artifacts.write_bytes(root / CLAIMS, write_claims(page.sections).encode())
    readme.insert_block(root, readme.write_block(root, page.sections, page.banner))

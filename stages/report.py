"""Figure, report, table of claims in README and metrics, from the tables of every study that ran here."""

from pathlib import Path
from typing import Any

import pandas as pd

from stages.figures import brain, overview, style
from stages.files import artifacts
from stages.files.artifacts import Arrays
from stages.parameters import params
from stages.parameters.params import Params
from stages.reporting import readme
from stages.reporting.morph import describe_maps
from stages.reporting.page import WORDS, Page, banner_at, read_sections, render
from stages.reporting.sizes import list_sizes
from stages.studies.beside import read_beside
from stages.studies.load import load_study
from stages.studies.schema import list_studies
from stages.studies.tables import SCORES, find_metric, read_table, report_path, select

FIGURE, REPORT = Path("reports/figure.png"), Path("reports/report.html")
BRAIN, METRICS, MAPS = Path("reports/brain.png"), Path("reports/metrics.json"), Path("reports/maps.npz")
BRAIN_DOTS = 100  # per inch: its many lines take ten times the bytes of other pictures
STUDY, FOCUS = "sigma", "focus"  # the study whose tables are mapped; its cell in metrics.json
TASKS = ("grid", "network", "recordings")
AT_PUBLISHED_SIZE, UNTRAINED, NEW_PAIRS = (
    "published",
    "size_alone",
    "unseen_pairs",
)  # studies that the figure shows
DECIMALS = 6


def read_scores(root: Path, study: str) -> pd.DataFrame:
    """Scores of a study, without rows where it did not run."""
    path = root / report_path(study, "scores")
    return read_table(path) if path.is_file() else pd.DataFrame(columns=SCORES)


def measure_focus(scores: pd.DataFrame) -> dict[str, dict[str, float]]:
    """Mean scores and alignment of the configuration under study by task, and how many seeds diverged."""
    measured: dict[str, dict[str, float]] = {}
    for task in TASKS:
        for metric in ("score", "validation/new", "alignment"):
            rows = select(scores, task, metric)
            values = rows[rows.cell == FOCUS].value.dropna()
            if len(values):
                split, own = find_metric(task, metric)
                name = own if metric == "alignment" else f"{split}_{own}"
                measured.setdefault(task, {})[name] = round(float(values.mean()), DECIMALS)
        rows = select(scores, task, "train/diverged")
        if lost := rows[rows.cell == FOCUS].value.sum():
            measured.setdefault(task, {})["diverged_seeds"] = int(lost)
    return measured


def draw_figures(root: Path, maps: Arrays) -> None:
    study = load_study(root, AT_PUBLISHED_SIZE) if AT_PUBLISHED_SIZE in list_studies(root) else None
    published = read_beside(root, study) if study else None
    with style.house():
        scores = read_scores(root, AT_PUBLISHED_SIZE)
        others = (read_scores(root, name) for name in (UNTRAINED, NEW_PAIRS))
        figure = overview.draw(study, scores, published, *others, maps, read_scores(root, STUDY))
        style.write(figure, root / FIGURE)
        style.write(brain.draw(maps), root / BRAIN, dots=BRAIN_DOTS)


def make_page(root: Path, settings: Params, maps: Arrays) -> Page:
    """The report's page."""
    morph: dict[str, Any] = describe_maps(maps, read_scores(root, STUDY)) if maps else {}
    return Page(
        title=WORDS["title"],
        lead=WORDS["question"],
        sections=read_sections(root),
        whole=True,
        banner=banner_at(settings.scale),
        morph=morph,
        sizes=list_sizes(root, settings),
        scale=settings.scale,
    )


def report(root: Path) -> None:
    """Draw the figures and write the report, the table of claims in README and the metrics."""
    settings = params.load(root / params.FILE)
    path = root / MAPS
    maps = artifacts.read_arrays(path) if path.exists() else {}
    draw_figures(root, maps)
    page = make_page(root, settings, maps)
    artifacts.write_bytes(root / REPORT, render(page).encode())
    artifacts.write_json(root / METRICS, measure_focus(read_scores(root, STUDY)))
    readme.insert_block(root, readme.write_block(page.sections, page.banner))

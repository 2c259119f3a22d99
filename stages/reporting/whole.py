"""The report of all studies and its metrics, from tables in git alone."""

from pathlib import Path
from typing import Any

import pandas as pd

from stages.files import artifacts
from stages.parameters.params import Params
from stages.reporting.morph import describe_maps
from stages.reporting.page import WORDS, Page, banner_at, read_sections
from stages.reporting.sizes import list_sizes
from stages.studies.tables import SCORES, find_metric, read_table, report_path, select

REPORT, METRICS, MAPS = Path("reports/report.html"), Path("reports/metrics.json"), Path("reports/maps.npz")
STUDY, FOCUS = "sigma", "focus"  # the study whose tables are mapped; its cell in metrics.json
TASKS = ("grid", "network", "recordings")
DECIMALS = 6


def read_scores(root: Path, study: str) -> pd.DataFrame:
    """Scores of a study, without rows where it did not run."""
    path = root / report_path(study, "scores")
    return read_table(path) if path.is_file() else pd.DataFrame(columns=SCORES)


def read_maps(root: Path) -> artifacts.Arrays:
    """Read what tables look like; nothing where no tables were mapped."""
    return artifacts.read_arrays(root / MAPS) if (root / MAPS).exists() else {}


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


def make_page(root: Path, settings: Params, maps: artifacts.Arrays) -> Page:
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

"""The report of all studies and its metrics, from tables in git alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import pandas as pd

from stages.files import artifacts
from stages.parameters.params import Params
from stages.reporting.captions import CAPTIONS
from stages.reporting.groups import group_sections, read_sections
from stages.reporting.morph import describe_maps
from stages.reporting.origins import list_origins
from stages.reporting.page import FOLDER, WORDS, Page, banner_at
from stages.reporting.pictures import Picture, measure_picture
from stages.reporting.sections import Section, count_verdicts
from stages.reporting.sizes import list_sizes
from stages.studies.schema import list_studies
from stages.studies.tables import SCORES, VERDICTS, find_metric, read_table, report_path, select

REPORT, METRICS, MAPS = Path("reports/report.html"), Path("reports/metrics.json"), Path("reports/maps.npz")
STUDY, FOCUS = "sigma", "focus"  # the study whose tables are mapped; its cell in metrics.json
TASKS = ("grid", "network", "recordings")
DECIMALS = 6


@dataclass(frozen=True, kw_only=True)
class Report(Page):
    """The way into all studies."""

    template: ClassVar[Path] = FOLDER / "report.html.j2"

    sections: Sequence[Section]
    figure: Picture
    brain: Picture
    morph: Mapping[str, Any] = field(default_factory=dict)  # what script.js moves with the slider
    sizes: Sequence[Mapping[str, Any]] = ()
    origins: Sequence[Mapping[str, str]] = ()
    scale: str = ""

    @property
    def groups(self) -> dict[str, list[Section]]:
        """List studies that ran, in groups."""
        return group_sections([section for section in self.sections if section.ran])

    @property
    def missing(self) -> list[Section]:
        """List studies that did not run here."""
        return [section for section in self.sections if not section.ran]

    @property
    def unknown(self) -> str:
        """Name studies that ran and do not say where."""
        known = {row["study"] for row in self.origins}
        return ", ".join(one.name for one in self.sections if one.ran and one.name not in known)

    @property
    def counted(self) -> str:
        """Count the claims that hold."""
        return count_verdicts(self.sections)

    @property
    def verdicts(self) -> list[str]:
        """List verdicts that some claim has."""
        given = {one.verdict for section in self.sections for one in section.claims}
        return [verdict for verdict in VERDICTS if verdict in given]


def read_scores(root: Path, study: str) -> pd.DataFrame:
    """Read scores of a study, without rows where it did not run."""
    path = root / report_path(study, "scores")
    return read_table(path) if path.is_file() else pd.DataFrame(columns=SCORES)


def read_maps(root: Path) -> artifacts.Arrays:
    """Read what tables look like; nothing where no tables were mapped."""
    return artifacts.read_arrays(root / MAPS) if (root / MAPS).exists() else {}


def measure_focus(scores: pd.DataFrame) -> dict[str, dict[str, float]]:
    """Average scores and alignment of the configuration under study by task; count seeds that diverged."""
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


def make_page(root: Path, settings: Params, maps: artifacts.Arrays) -> Report:
    """Make the report's page."""
    sections = read_sections(root)
    studies = {section.name: section.study for section in sections}
    figure, brain = (measure_picture(root / REPORT.parent / name) for name in ("figure.png", "brain.png"))
    of_brain = f"{WORDS['brain']} {CAPTIONS['brain']}"
    return Report(
        title=WORDS["title"],
        lead=WORDS["question"],
        banner=banner_at(settings.scale),
        sections=sections,
        figure=Picture("figure.png", WORDS["figure_seen"], f"{WORDS['figure']} {WORDS['source']}", figure),
        brain=Picture("brain.png", WORDS["brain_seen"], of_brain, brain),
        morph=describe_maps(maps, read_scores(root, STUDY)) if maps else {},
        sizes=list(list_sizes([studies[name] for name in list_studies(root)], settings)),
        origins=list_origins(root, [section.name for section in sections if section.ran]),
        scale=settings.scale,
    )

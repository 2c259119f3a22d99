"""The figure of a study, by its kind."""

from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from stages.figures import curves as curve_panels
from stages.figures import lines, maps, rows, tables
from stages.files import artifacts
from stages.files.artifacts import Arrays
from stages.studies.schema import Study

CURVES = Path("data/reference/lst_published_curves.csv")


def read_beside(root: Path, study: Study) -> pd.DataFrame | None:
    """What the study's figure is drawn beside: published learning curves, or means; None without."""
    if study.beside is None:
        return None
    return artifacts.read_csv(root / (CURVES if study.figure.kind == "curves" else study.beside))


def draw_study(
    study: Study,
    scores: pd.DataFrame,
    differences: pd.DataFrame,
    curves: pd.DataFrame | None = None,
    published: pd.DataFrame | None = None,
    similarity: Arrays | None = None,
) -> Figure:
    """The study's tables as its `figure` asks.

    published: as `read_beside` reads it. similarity: reports/maps.npz where the figure is of maps, the
    study's own where it is of fetched tables.
    """
    match study.figure.kind:
        case "lines":
            return lines.draw(study, scores, published)
        case "rows":
            return rows.draw(study, differences, scores)
        case "curves":
            return curve_panels.draw(study, scores[:0] if curves is None else curves, published)
        case "maps":
            return maps.draw(similarity or {}, study.tasks)
        case "tables":
            return tables.draw(study, scores, similarity or {})

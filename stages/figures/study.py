"""The figure of a study, of the kind that it asks for."""

import pandas as pd
from matplotlib.figure import Figure

from stages.figures import lines, rows, scatter, tables
from stages.files.artifacts import Arrays
from stages.studies.schema import Study
from stages.studies.tables import Tables


def draw_study(study: Study, written: Tables, published: pd.DataFrame | None, maps: Arrays) -> Figure:
    """Draw a study's tables; maps: similarities of fetched ones."""
    match study.figure.kind:
        case "lines":
            return lines.draw(study, written["scores"], published)
        case "rows":
            return rows.draw(study, written["differences"], written["scores"])
        case "scatter":
            return scatter.draw(study, written["scores"])
        case "tables":
            return tables.draw(study, written["scores"], maps)

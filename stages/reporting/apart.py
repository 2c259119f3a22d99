"""The page of a pipeline apart from the main one: its figure, then a section for each task."""

from collections.abc import Callable
from pathlib import Path

import matplotlib.figure
import pandas as pd

from stages.figures import style
from stages.files import artifacts
from stages.reporting.page import page
from stages.reporting.parts import Figure, Section
from stages.tasks.facts import TaskFacts, find_facts


def write_page(
    stem: Path,
    table: pd.DataFrame,
    *,
    draw: Callable[[pd.DataFrame], matplotlib.figure.Figure],
    section: Callable[[TaskFacts, pd.DataFrame], Section],
    title: str,
    subtitle: str,
    caption: str,
) -> None:
    """The figure as stem.png and stem.svg, and page.html beside it.

    stem: in a folder of reports, named as the pipeline and its CSV file in reports/tables. table: what that
    file holds, with a column task; `section` gets each task's rows.
    """
    name = stem.parent.name
    with style.house():
        style.write(draw(table), stem)
    sections = [section(find_facts(str(task)), of) for task, of in table.groupby("task", sort=False)]
    figure = Figure(name, f"{stem.name}.png", caption, [f"../tables/{name}.csv"])
    sections[0].figures.append(figure)  # it shows every task
    artifacts.write_bytes(stem.with_name("page.html"), page(title, subtitle, sections).encode())

from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from stages.reporting.apart import write_page
from stages.reporting.parts import Section
from stages.tasks.facts import TaskFacts

TABLE = pd.DataFrame({"task": ["network", "grid", "network"], "value": [1.0, 2.0, 3.0]})


def state_sum(facts: TaskFacts, rows: pd.DataFrame) -> Section:
    return Section(facts.name, facts.title, "How much?", points=[f"{rows.value.sum():g} in {facts.name}"])


def test_a_section_per_task_and_one_figure_beside_the_page(tmp_path: Path) -> None:
    stem = tmp_path / "sums/bars"
    write_page(
        stem,
        TABLE,
        draw=lambda table: Figure(figsize=(1, len(table))),
        section=state_sum,
        title="Sums",
        subtitle="of values",
        caption="Bars.",
    )
    html = stem.with_name("page.html").read_text()
    assert html.index("4 in network") < html.index("2 in grid")
    assert html.count('<a href="bars.svg"><img src="bars.png"') == 1
    assert '<a href="../tables/sums.csv">' in html
    assert stem.with_suffix(".png").exists() and stem.with_suffix(".svg").exists()

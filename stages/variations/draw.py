"""The figure and the page of the table of variations: reports/variations/."""

from pathlib import Path

from stages.figures import style
from stages.files import artifacts
from stages.reporting.page import page, picture
from stages.running.command import run
from stages.variations import figure
from stages.variations.page import sections

TABLE = Path("reports/tables/variations.csv")
FIGURE = Path("reports/variations/effects")
PAGE = FIGURE.with_name("page.html")
TITLE = "The comparison under other settings"


def main(root: Path = Path()) -> None:
    table = artifacts.read_csv(artifacts.require(root / TABLE, "stages.variations.gather"))
    with style.house():
        style.write(figure.draw(table), root / FIGURE)
    drawn = picture((root / FIGURE).with_suffix(".png"))
    subtitle = f"Small and large initial standard deviations, scale {table.scale.iloc[0]}"
    artifacts.write_bytes(root / PAGE, page(TITLE, subtitle, sections(table, drawn)).encode())


if __name__ == "__main__":
    run(main)

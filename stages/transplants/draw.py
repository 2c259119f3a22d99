"""The figure and the page of the table of transplants: reports/transplants/."""

from pathlib import Path

from stages.figures import style
from stages.files import artifacts
from stages.parameters import params
from stages.reporting.page import page, picture
from stages.running.command import run
from stages.transplants import figure
from stages.transplants.entries import load_transplants
from stages.transplants.page import sections

TABLE = Path("reports/tables/transplants.csv")
FIGURE = Path("reports/transplants/scores")
PAGE = FIGURE.with_name("page.html")
TITLE = "Tables in other models"


def main(root: Path = Path()) -> None:
    settings = params.load(root / params.FILE)
    table = artifacts.read_csv(artifacts.require(root / TABLE, "stages.transplants.gather"))
    with style.house():
        style.write(figure.draw(table, settings.scale), root / FIGURE)
    drawn = picture((root / FIGURE).with_suffix(".png"))
    subtitle = f"What a trained table does in a model that is not its own, scale {settings.scale}"
    html = page(TITLE, subtitle, sections(table, load_transplants(root), drawn))
    artifacts.write_bytes(root / PAGE, html.encode())


if __name__ == "__main__":
    run(main)

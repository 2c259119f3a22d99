"""The figure of the table of transplants: reports/transplants/scores.png and .svg."""

from pathlib import Path

from stages import artifacts, params
from stages.command import run
from stages.figures import style, transplants

TABLE = Path("reports/tables/transplants.csv")
FIGURE = Path("reports/transplants/scores")


def main() -> None:
    table = artifacts.read_csv(artifacts.existing(TABLE, "gather_transplants"))
    with style.house():
        style.write(transplants.draw(table, params.load().scale), FIGURE)


if __name__ == "__main__":
    run(main)

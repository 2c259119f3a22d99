"""The figure of the table of variations: reports/variations/effects.png and .svg."""

from pathlib import Path

from stages import artifacts
from stages.command import run
from stages.figures import style, variations

TABLE = Path("reports/tables/variations.csv")
FIGURE = Path("reports/variations/effects")


def main() -> None:
    table = artifacts.read_csv(artifacts.existing(TABLE, "gather_variations"))
    with style.house():
        style.write(variations.draw(table), FIGURE)


if __name__ == "__main__":
    run(main)

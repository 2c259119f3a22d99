"""The figure and the page of tables given to other people's models: reports/people/page.html."""

from pathlib import Path

import pandas as pd

from stages.figures import style
from stages.files import artifacts
from stages.measures import statistics
from stages.parameters import params
from stages.people import figure
from stages.people.settings import KINDS
from stages.reporting.differences import say_where
from stages.reporting.page import page
from stages.reporting.parts import ESTIMATE, Column, Figure, Section, Table
from stages.running.command import run

FOLDER = Path("reports/people")
PAGE, FIGURE = FOLDER / "page.html", FOLDER / "errors"
SCORES, DIFFERENCES = FOLDER / "scores.csv", FOLDER / "differences.csv"
TITLE = "Do tables learned on brains carry more than functional connectivity?"
SCORED = [
    *(Column("kind", "table"), Column("fraction", "hidden", 2), *ESTIMATE),
    *(Column("train", "training data", 3), Column("ratio", "over the floor", 3)),
]
TESTED = [
    *(Column("split", "data"), Column("a", "table"), Column("b", "minus"), Column("fraction", "hidden", 2)),
    Column("n", "n", 0),
    *(Column("difference", "difference", 4), Column("low", "95 % interval", 4, high="high")),
    *(Column("effect_size", "effect size", 2), Column("p_value", "p", 3), Column("q_value", "q", 3)),
]
OF_SCORES = (
    "Mean squared error on hidden regions of the validation people, in variances of a region (lower is "
    "better), mean over n seeds with its 95 % Student t interval; means of the same on the hosts' training "
    "frames, and over the Gaussian floor fitted to these. floor_everyone: the floor fitted to donors and "
    "hosts. hidden: the share of regions."
)
OF_TESTS = (
    "Differences in that error between hosts with learned tables and with others, on the same seeds: mean "
    "over n seeds with its 95 % Student t interval; below 0 the learned ones are better. Effect size: mean "
    "over standard deviation of the differences (Hedges' factor). p: flips of signs; q: false discovery rate "
    "over the shares of hidden regions. Data: of validation people, or the hosts' training frames."
)
PICTURE = "Errors and differences against the share of hidden regions; the numbers are below."


def state(tested: pd.DataFrame) -> str:
    """Where learned tables are better and worse than another kind, by intervals; the same in training."""
    where = {
        split: say_where(rows, "fraction", "no share", -1, " of regions hidden")
        for split, rows in tested.groupby("split")
    }
    return (
        f"Learned against {tested.b.iloc[0]} tables: better {where['validation']} In training: better "
        f"{where['train']}"
    )


def estimate(scores: pd.DataFrame) -> pd.DataFrame:
    """A row per kind and share: mean, interval, n, mean `train`, mean `ratio` to the hosts' floor."""
    by = ["kind", "fraction"]
    means = (
        figure.over_floor(scores).rename(columns={"value": "ratio"}).groupby(by)[["train", "ratio"]].mean()
    )
    return statistics.intervals(scores, by).join(means, on=by)


def main(root: Path = Path()) -> None:
    scale = params.load(root / params.FILE).scale
    scores, differences = (
        artifacts.read_csv(artifacts.require(root / path, "stages.people.gather"))
        for path in (SCORES, DIFFERENCES)
    )
    on_validation = differences[differences.split == "validation"]
    with style.house():
        style.write(figure.draw(scores, on_validation, scale), root / FIGURE)
    section = Section(
        key="people",
        title="Tables of some people in models of others",
        question=TITLE,
        points=[state(differences[differences.b == kind]) for kind in KINDS[1:]],
        figures=[Figure("errors", f"{FIGURE.name}.png", PICTURE, [SCORES.name, DIFFERENCES.name])],
        tables=[
            Table("differences", OF_TESTS, differences, TESTED),
            Table("scores", OF_SCORES, estimate(scores), SCORED),
        ],
    )
    subtitle = f"Learned, exchanged, functional, gradient, random and own tables, scale {scale}"
    artifacts.write_bytes(root / PAGE, page(TITLE, subtitle, [section]).encode())


if __name__ == "__main__":
    run(main)

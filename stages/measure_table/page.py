"""The page of a table: its figure, what is most telling in words, and all measures."""

import pandas as pd

from stages.measure_table.measures import PERMUTATIONS
from stages.measure_table.results import Shown
from stages.reporting.numbers import NOTHING, write

BY_ROW = ("row_length", "index_read")  # measures with a value for every row
DIGITS = {"position_error": 1, "order_right": 1, "effective_rank": 1}  # behind the point; others have three
HEADS = {
    "measure": "measure",
    "reference": "of",
    "at": "steps apart",
    "table": "table",
    "random": "random table",
    "permuted": "permuted rows",
}
NOTES = (
    "In brackets: the middle 95 % over folds of rows held out, over random tables or over permutations. "
    "Alignment: rank correlation (Spearman) of distances between rows with distances between places. "
    "Procrustes: Frobenius distance to the sinusoid of the places, once the table is turned onto it as "
    "well as a rotation can; it grows with the table's size. Equal size: what is left of its square once "
    "both are centred and of one size, 0 for equal shapes. Stress: how far distances between rows are "
    "from those between places, 0 where proportional. Effective rank: the exponential of the entropy of "
    "the singular values around the mean row. Position error: mean absolute error of coordinates read by "
    "ridge regression from rows held out, in % of their range; guessing the middle of a line has 25 %. "
    "Order right: % of pairs of such rows whose order by the index read is theirs; guessing has 50 %."
)


def show(rows: pd.DataFrame) -> Shown:
    """Say what a table's page shows. rows: of `measures.measure`."""
    return Shown(
        alt="What the table holds of positions: similarity maps, alignment, cosines by distance, index "
        "read from rows, lengths of rows",
        caption="Similarity is the cosine of two rows, darker for more alike; a row with itself is darkest. "
        "Blue: the table. Orange: a table of random numbers of the same size and mean square. Grey: the "
        f"table's rows, each at the place of another, the middle 95 % of {PERMUTATIONS} permutations.",
        heads=HEADS,
        names=["measure", "reference"],
        rows=write_rows(rows),
        notes=NOTES,
        files={"measures.csv": "also the index read from each row, and its length"},
    )


def write_rows(rows: pd.DataFrame) -> list[dict[str, str]]:
    """Write a row per measure, tables side by side, every cell as text; measures by row are left out."""
    whole = rows[~rows.measure.isin(BY_ROW)]
    return [
        {
            "measure": str(measure).replace("_", " "),
            "reference": str(reference),
            "at": str(at or ""),
            **{of: say(rows, measure, of, reference, at) for of in ("table", "random", "permuted")},
        }
        for measure, reference, at in whole[["measure", "reference", "at"]]
        .drop_duplicates()
        .itertuples(index=False)
    ]


def say_in_short(rows: pd.DataFrame, width: int) -> list[str]:
    """Say the five most telling numbers, each compared with chance; rows: of `measures.measure`."""
    main = str(rows.reference[rows.measure == "alignment"].iloc[0])
    steps = rows["at"][(rows.measure == "cosine") & (rows.reference == main)]
    near = min(steps)  # off a lattice none may be 1 apart

    def show(measure: str, of: str, reference: str = main, at: int = 0) -> str:
        return say(rows, measure, of, reference, at)

    return [
        f"alignment with {main}: {show('alignment', 'table')}; permuted rows {show('alignment', 'permuted')}",
        f"{main} read from rows held out: off by {show('position_error', 'table')} % of its range; "
        f"permuted rows {show('position_error', 'permuted')}",
        f"order read from rows held out: {show('order_right', 'table', 'index')} % of pairs right; "
        f"permuted rows {show('order_right', 'permuted', 'index')}",
        f"cosine of rows {near} apart: {show('cosine', 'table', at=near)}; "
        f"permuted rows {show('cosine', 'permuted', at=near)}",
        f"effective rank: {show('effective_rank', 'table', '')} of {width}; "
        f"random table {show('effective_rank', 'random', '')}",
    ]


def say(rows: pd.DataFrame, measure: str, of: str, reference: str, at: int) -> str:
    """Say the value with its interval, if it has one; a dash for what was not measured."""
    found = rows[
        (rows.measure == measure) & (rows.of == of) & (rows.reference == reference) & (rows["at"] == at)
    ]
    if found.empty:
        return NOTHING
    value, low, high = (
        write(number, DIGITS.get(measure, 3)) for number in found[["value", "low", "high"]].iloc[0]
    )
    return value if low == NOTHING else f"{value} [{low}, {high}]"

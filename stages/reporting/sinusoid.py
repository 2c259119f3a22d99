"""What is said of the fixed sinusoid, checked on its table."""

import pandas as pd

from stages.reporting.estimates import over_seeds
from stages.reporting.inputs import Inputs
from stages.reporting.numbers import number
from stages.reporting.section import ESTIMATE, Column, Figure, Section, Table

COLUMNS = [
    *(Column("width", "width d", 0), Column("shortest", "shortest wavelength, tokens", 2)),
    *(Column("longest", "longest wavelength, tokens", 1), Column("ratio", "measured / formula \u2212 1", 3)),
    Column("residual", "largest residual of a shift", 3),
]
NAMED = [Column("called", "encoding"), *ESTIMATE]
CAPTION = (
    "Sinusoid of {n} tokens, computed, so that there are no seeds (n = 1, no interval): measured "
    "wavelengths, their largest relative difference from 2\u03c0 \u00b7 10000^(2i/d), and the largest error "
    "of writing the row of a shifted position as a linear map of the row itself (no unit)."
)
LIKENESS = (
    "Spearman correlation (no unit) of the cosine similarities between rows of learned tables, blocks side "
    "by side, with those of the sinusoid over the index; mean over n seeds with its 95 % Student t interval."
)
FIGURE = (
    "Above, computed wavelengths (tokens) and residuals (no unit) of one table per width, without seeds. "
    "Below, learned tables' cosine similarity (no unit); how it goes with the sinusoid's, with intervals and "
    "n, is in the table below."
)


def section(inputs: Inputs) -> Section:
    claims = inputs.tables["fixed_encodings"]
    found = checked(claims)
    return Section(
        key="sinusoid",
        title="The fixed sinusoid",
        question="Is a shift of position a linear map, and are wavelengths geometric (Vaswani et al., 2017)?",
        paragraphs=[
            f"The largest residual of a shift is {number(found.residual.max())} (no unit, {len(claims)} "
            "measurements of computed tables), and the largest relative difference of a wavelength from the "
            f"formula {number(found.ratio.max())}."
        ],
        figures=[
            Figure(
                "fixed_encodings",
                inputs.figures["fixed_encodings"],
                FIGURE,
                ["tables/fixed_encodings.csv", "tables/alignment.csv"],
            )
        ],
        tables=[
            Table("sinusoid", CAPTION.format(n=claims.n.max()), found, COLUMNS),
            Table(
                "like_a_sinusoid", LIKENESS, likeness(inputs), [Column("task", "task"), *NAMED], folded=True
            ),
        ],
    )


def likeness(inputs: Inputs) -> pd.DataFrame:
    """A row per task and learned table: how its cosine similarities go with a sinusoid's."""
    rows = inputs.tables["alignment"]
    rows = rows[(rows.measure == "spearman_cosine") & (rows.block == "all")]
    return over_seeds(inputs, rows, ["task", "encoding"])


def checked(claims: pd.DataFrame) -> pd.DataFrame:
    """A row per width: range of wavelengths, largest relative error, largest residual."""
    waves = claims[claims.kind == "wavelength"]
    waves = waves.assign(ratio=(waves.measured / waves.formula - 1).abs())
    found = waves.groupby("width").agg(
        shortest=("measured", "min"), longest=("measured", "max"), ratio=("ratio", "max")
    )
    residuals = claims[claims.kind == "residual"].groupby("width")["measured"].max()
    return found.join(residuals.rename("residual")).reset_index()

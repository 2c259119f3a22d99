"""What theory says: of encodings that tell identical tokens apart, and of the fixed sinusoid."""

import pandas as pd

from stages.reporting.estimates import over_seeds
from stages.reporting.inputs import Inputs
from stages.reporting.learned_tables import LABEL, OVER_SEEDS, TASK
from stages.reporting.numbers import listed, number
from stages.reporting.parts import ESTIMATE, Column, Section, Table, fold
from stages.tasks.facts import find_facts

PROBE = [
    *(Column("label", "configuration"), Column("normaliser", "normaliser"), Column("block", "block")),
    *(Column("markers", "markers"), Column("distinct_rows_theory", "rows, theory", 0)),
    *(Column("distinct_rows", "rows", 0), Column("accuracy_theory", "accuracy, theory", 3)),
    *(*ESTIMATE, Column("agreement", "as theory says")),
]
PROBE_CAPTION = (
    f"Accuracy after training, share of tokens that are told their own index: {OVER_SEEDS}, best first, "
    "beside the greatest that theory allows. Rows: different rows of outputs of a random model."
)
SINUSOID = [
    *(Column("width", "width d", 0), Column("shortest", "shortest wavelength, tokens", 2)),
    *(Column("longest", "longest wavelength, tokens", 1), Column("ratio", "measured / formula \u2212 1", 3)),
    Column("residual", "largest residual of a shift", 3),
]
SINUSOID_CAPTION = (
    "Sinusoid of {n} tokens, computed, so that there are no seeds (n = 1, no interval): measured "
    "wavelengths, their largest relative difference from 2\u03c0 \u00b7 10000^(2i/d), and the largest error "
    "of writing the row of a shifted position as a linear map of the row itself (no unit)."
)
LIKENESS_CAPTION = (
    "Spearman correlation (no unit) of the cosine similarities between rows of learned tables, blocks side "
    f"by side, with those of the sinusoid over the index; {OVER_SEEDS}."
)


def probe_section(inputs: Inputs) -> Section:
    rows = compare_with_theory(inputs)
    known = rows.dropna(subset="agreement")
    against = known[known.agreement == "no"].label.tolist()
    named = f" Not as theory says: {listed(against)}." if against else ""
    caption = "Left, different rows of outputs (count); right, share of tokens told right. Dots are seeds."
    return Section(
        key="probe",
        title="Telling identical tokens apart",
        question="Can a transformer with this encoding tell equal tokens apart (Su Jianlin's probe)?",
        paragraphs=[
            f"{len(known) - len(against)} of {len(known)} configurations do what theory says of them.{named}"
        ],
        figures=[inputs.figure("probe", caption, "probe", "runs")],
        tables=[Table("probe", PROBE_CAPTION, rows, PROBE)],
    )


def compare_with_theory(inputs: Inputs) -> pd.DataFrame:
    """A row per configuration of probe.csv, with the estimate of its accuracy over seeds, best first."""
    score = find_facts("probe").score
    estimates = score.rows(inputs.tables["intervals"], "probe").set_index("encoding")
    table = inputs.tables["probe"]
    rows = table.drop(columns="n").join(estimates[["mean", "low", "high", "n"]], on="configuration")
    # probe.csv's truth values read as text where some are missing
    rows["agreement"] = table.agrees.astype(str).map({"True": "yes", "False": "no"})
    rows["label"] = inputs.labels(rows.assign(task="probe"), "configuration")
    return score.best_first(rows, "mean")


def sinusoid_section(inputs: Inputs) -> Section:
    claims, aligned = inputs.tables["fixed_encodings"], inputs.tables["alignment"]
    rows = check_sinusoid(claims)
    alike = aligned[(aligned.measure == "spearman_cosine") & (aligned.block == "all")]
    caption = (
        "Above, computed wavelengths (tokens) and residuals (no unit), a table per width. Below, cosine "
        "similarity of learned tables (no unit); how it goes with the sinusoid's is in the table below."
    )
    return Section(
        key="sinusoid",
        title="The fixed sinusoid",
        question="Is a shift of position a linear map, and are wavelengths geometric (Vaswani et al., 2017)?",
        paragraphs=[
            f"The largest residual of a shift is {number(rows.residual.max())} (no unit, {len(claims)} "
            "measurements of computed tables). The largest relative difference of a wavelength from the "
            f"formula is {number(rows.ratio.max())}."
        ],
        figures=[inputs.figure("fixed_encodings", caption, "fixed_encodings", "alignment")],
        tables=[
            Table("sinusoid", SINUSOID_CAPTION.format(n=claims.n.max()), rows, SINUSOID),
            *fold("like_a_sinusoid", LIKENESS_CAPTION, over_seeds(inputs, alike), [TASK, LABEL, *ESTIMATE]),
        ],
    )


def check_sinusoid(claims: pd.DataFrame) -> pd.DataFrame:
    """A row per width: range of wavelengths, largest relative error, largest residual."""
    waves = claims[claims.kind == "wavelength"]
    waves = waves.assign(ratio=(waves.measured / waves.formula - 1).abs())
    ranges = waves.groupby("width").agg(
        shortest=("measured", "min"), longest=("measured", "max"), ratio=("ratio", "max")
    )
    residuals = claims[claims.kind == "residual"].groupby("width")["measured"].max()
    return ranges.join(residuals.rename("residual")).reset_index()

"""What theory says: of encodings that tell identical tokens apart, and of the fixed sinusoid."""

import pandas as pd

from stages.reporting.estimates import over_seeds
from stages.reporting.inputs import Inputs
from stages.reporting.learned_tables import LABEL, TASK, by_task
from stages.reporting.parts import ESTIMATE, Column, Section, Table, fold
from stages.reporting.prose import fill_in, write_section
from stages.tasks.facts import find_facts

PROBE = [
    *(Column("label", "configuration"), Column("normaliser", "normaliser"), Column("block", "block")),
    *(Column("markers", "markers"), Column("mask", "mask")),
    Column("distinct_rows_theory", "rows, theory", 0),
    *(Column("distinct_rows", "rows", 0), Column("accuracy_theory", "accuracy, theory", 3)),
    *(*ESTIMATE, Column("agreement", "as theory says")),
]
SINUSOID = [
    *(Column("width", "width d", 0), Column("shortest", "shortest wavelength, tokens", 2)),
    *(Column("longest", "longest wavelength, tokens", 1), Column("ratio", "measured / formula \u2212 1", 3)),
    Column("residual", "largest residual of a shift", 3),
]

AGREEMENT = {"True": "yes", "bound": "below", "False": "no"}  # in the table, and on the page


def probe_section(inputs: Inputs) -> Section:
    rows = compare_with_theory(inputs)
    known = rows.dropna(subset="agreement")
    named = {name: known[known.agreement == name].label.tolist() for name in AGREEMENT.values()}
    texts = fill_in(
        "probe", n_known=len(known), n_as=len(named["yes"]), below=named["below"], against=named["no"]
    )
    return write_section(texts, [Table("probe", texts["caption"], rows, PROBE)])


def compare_with_theory(inputs: Inputs) -> pd.DataFrame:
    """A row per configuration of probe.csv, with the estimate of its accuracy over seeds, best first."""
    score = find_facts("probe").score
    estimates = score.rows(inputs.tables["intervals"], "probe").set_index("encoding")
    table = inputs.tables["probe"]
    rows = table.drop(columns="n").join(estimates[["mean", "low", "high", "n"]], on="configuration")
    # probe.csv's truth values read as text where some are missing
    rows["agreement"] = table.agrees.astype(str).map(AGREEMENT)
    rows["label"] = inputs.labels(rows.assign(task="probe"), "configuration")
    return score.best_first(rows, "mean")


def longer_section(inputs: Inputs) -> Section:
    rows = inputs.tables["longer"]
    refused = rows[rows.refused.notna()]
    refused = refused.assign(label=inputs.labels(refused))
    asked = over_seeds(inputs, rows[rows.refused.isna()], "metric")
    asked = asked.sort_values(["task", "metric", "mean"], ascending=[True, False, False], kind="stable")
    texts = fill_in(
        "longer", n_asked=len(asked[["task", "encoding"]].drop_duplicates()), n_refused=len(refused)
    )
    tables = [
        *by_task(texts, asked, [Column("metric", "score"), LABEL, *ESTIMATE]),
        *fold("not_asked", texts["reasons"], refused, [TASK, LABEL, Column("refused", "why")]),
    ]
    return write_section(texts, tables)


def sinusoid_section(inputs: Inputs) -> Section:
    claims, aligned = inputs.tables["fixed_encodings"], inputs.tables["alignment"]
    rows = check_sinusoid(claims)
    alike = aligned[(aligned.measure == "spearman_cosine") & (aligned.block == "all")]
    texts = fill_in("sinusoid", claims=claims, rows=rows)
    alike = over_seeds(inputs, alike)
    tables = [
        Table("sinusoid", texts["caption"], rows, SINUSOID),
        *fold("like_a_sinusoid", texts["likeness"], alike, [TASK, LABEL, *ESTIMATE]),
    ]
    return write_section(texts, tables)


def check_sinusoid(claims: pd.DataFrame) -> pd.DataFrame:
    """A row per width: range of wavelengths, largest relative error, largest residual."""
    waves = claims[claims.kind == "wavelength"]
    waves = waves.assign(ratio=(waves.measured / waves.formula - 1).abs())
    ranges = waves.groupby("width").agg(
        shortest=("measured", "min"), longest=("measured", "max"), ratio=("ratio", "max")
    )
    residuals = claims[claims.kind == "residual"].groupby("width")["measured"].max()
    return ranges.join(residuals.rename("residual")).reset_index()

"""What trained models do: where they attend, what changed tables cost them, how they bear harder inputs."""

import pandas as pd

from stages.reporting.estimates import over_seeds, select_learned
from stages.reporting.inputs import Inputs
from stages.reporting.learned_tables import LABEL, TASK, by_task
from stages.reporting.parts import ESTIMATE, Column, Section, fold
from stages.reporting.prose import fill_in, write_section

ATTENTION = ["block", "reference", "measure"]
EXCESS = "answer_excess"
LARGEST_P = Column("p_value", "largest p", 3)
CHANGES = ["task", "encoding", "intervention", "amount"]
DRAWN = ("transplant", "random_components", "random_table")  # in the figure, or controls beside others
BY_COMPLEXITY = {"none": 0.0, "removed": 2.0, "corrupted": 1.0}  # amounts that complexities are shown for


def attention_section(inputs: Inputs) -> Section:
    rows = inputs.tables["attention"]
    rows = rows.assign(reference=rows.reference.fillna(""))
    heads = rows.groupby(["task", "encoding", *ATTENTION, "seed"], as_index=False, sort=False)
    of_seeds = heads.agg({"value": "mean", "null_mean": "mean", "p_value": "max"})
    estimates = select_learned(inputs, over_seeds(inputs, of_seeds, *ATTENTION))
    lines = estimates[estimates.measure.str.startswith(EXCESS)]
    lines = lines.assign(complexity=lines.measure.str.removeprefix(EXCESS).str.strip("_").replace("", "all"))
    edges, block = estimates[estimates.measure == "auc"], Column("block", "block", 0)
    measured = [LABEL, *ESTIMATE, LARGEST_P]
    of_lines = [TASK, block, Column("complexity", "complexity"), *measured]
    of_edges = [TASK, block, Column("reference", "near by"), *measured]
    texts = fill_in("attention")
    tables = [
        *fold("attention_on_the_targets_lines", texts["lines"], lines, of_lines),
        *fold("attention_along_edges", texts["edges"], edges, of_edges),
    ]
    return write_section(texts, tables)


def interventions_section(inputs: Inputs) -> Section:
    rows = compare_with_controls(inputs)
    columns = [
        *(Column("intervention", "table"), Column("amount", "amount", 2), LABEL, *ESTIMATE),
        *(Column("control", "control"), Column("beyond", "beyond the control", 3)),
        Column("beyond_low", "95 % interval", 3, high="beyond_high"),
    ]
    texts = fill_in("interventions")
    return write_section(texts, by_task(texts, rows[~rows.intervention.isin(DRAWN)], columns))


def compare_with_controls(inputs: Inputs) -> pd.DataFrame:
    """Per task, configuration, intervention and amount the score and its difference from the control's."""
    rows = inputs.tables["interventions"]
    rows = rows.assign(control=rows.control.fillna(""))
    each = rows.groupby([*CHANGES, "control", "seed"], sort=False).value.mean().reset_index()
    estimates = over_seeds(inputs, each, "intervention", "amount", "control")
    # a control has the amount of what it is the control of, an unchanged model 0
    each["control_amount"] = each.amount.where(each.control != "unchanged", 0.0)
    controls = each[[*CHANGES, "seed", "value"]]
    controls = controls.rename(columns={"intervention": "control", "amount": "control_amount"})
    same = ["task", "encoding", "seed", "control", "control_amount"]
    paired = each.merge(controls, on=same, suffixes=("", "_of_control"))
    paired["value"] -= paired.value_of_control
    beyond = over_seeds(inputs, paired, "intervention", "amount")
    beyond = beyond.rename(columns={"mean": "beyond", "low": "beyond_low", "high": "beyond_high"})
    return estimates.merge(beyond[[*CHANGES, "beyond", "beyond_low", "beyond_high"]], on=CHANGES, how="left")


def robustness_section(inputs: Inputs) -> Section:
    rows = inputs.tables["robustness"]
    rows = rows[(rows.encoding != "people") & (rows.metric != "complexity_correlation")]
    shown = rows.amount.eq(rows.perturbation.map(BY_COMPLEXITY)) | ~rows.metric.str.contains("_")
    estimates = over_seeds(inputs, rows[shown], "perturbation", "amount", "metric")
    estimates = pd.concat([select_learned(inputs, estimates), estimates[estimates.encoding == "solver"]])
    columns = [Column("perturbation", "input"), Column("amount", "amount", 2), Column("metric", "score")]
    texts = fill_in("robustness")
    return write_section(texts, by_task(texts, estimates, [*columns, LABEL, *ESTIMATE]))

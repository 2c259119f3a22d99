"""What trained models do: where they attend, what changed tables cost them, how they bear harder inputs."""

import pandas as pd

from stages.reporting.estimates import over_seeds, select_learned
from stages.reporting.inputs import Inputs
from stages.reporting.learned_tables import IN_TABLES, LABEL, OVER_SEEDS, TASK, by_task
from stages.reporting.parts import ESTIMATE, Column, Section, fold

ATTENTION = ["block", "reference", "measure"]
EXCESS = "answer_excess"
LARGEST_P = Column("p_value", "largest p", 3)
EDGES_CAPTION = (
    "Probability that a near pair of tokens draws more attention than another one (area under the curve; "
    "no unit, chance .5); near: the nearest tenth, or one line or community. Learned tables, "
    f"{OVER_SEEDS}; p one-sided from shuffled tokens, the largest of all seeds and heads."
)
LINES_CAPTION = (
    "Attention of the answering cell on the target's row and column, as a share of all beyond the uniform "
    "share (no unit, 0: as chance). Learned tables on validation puzzles by relational complexity, "
    f"{OVER_SEEDS}; p one-sided, the largest of all seeds and heads."
)
CHANGES = ["task", "encoding", "intervention", "amount"]
DRAWN = ("transplant", "random_components", "random_table")  # in the figure, or controls beside others
CHANGES_CAPTION = (
    "score of trained models on validation examples with their learned table replaced, nothing trained "
    f"again; draws averaged, {OVER_SEEDS}. Beyond the control: difference from the matched control on the "
    "same seeds (unchanged; as many random directions; a random table of the same norm), n as before."
)
BY_COMPLEXITY = {"none": 0.0, "removed": 2.0, "corrupted": 1.0}  # amounts that complexities are shown for
INPUTS_CAPTION = (
    "score of trained models on harder validation inputs; puzzles also by relational complexity. Learned "
    "tables and, for puzzles, a solver that guesses among the answers left open (one number, no interval); "
    f"{OVER_SEEDS}."
)


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
    caption = (
        "Maps: attention weights over the uniform weight (no unit), mean over n seeds. Below, excess on the "
        f"target's lines (share) and area under the curve (no unit) against \u03c3. {IN_TABLES}"
    )
    return Section(
        key="attention",
        title="Where do models attend?",
        question="Does attention follow true neighbours, and in a puzzle the lines that decide it?",
        figures=[inputs.figure("attention", caption, "attention")],
        tables=[
            *fold("attention_on_the_targets_lines", LINES_CAPTION, lines, of_lines),
            *fold("attention_along_edges", EDGES_CAPTION, edges, of_edges),
        ],
    )


def interventions_section(inputs: Inputs) -> Section:
    rows = compare_with_controls(inputs)
    caption = "Scores with tables exchanged, reduced, rescaled and transplanted. Dots are seeds. " + IN_TABLES
    columns = [
        *(Column("intervention", "table"), Column("amount", "amount", 2), LABEL, *ESTIMATE),
        *(Column("control", "control"), Column("beyond", "beyond the control", 3)),
        Column("beyond_low", "95 % interval", 3, high="beyond_high"),
    ]
    return Section(
        key="interventions",
        title="What a table's shape is needed for",
        question="What does a trained model lose when its table is changed, and is it the change itself?",
        figures=[inputs.figure("interventions", caption, "interventions")],
        tables=by_task("interventions", CHANGES_CAPTION, rows[~rows.intervention.isin(DRAWN)], columns),
        further=["transplants/page.html"],
    )


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
    caption = (
        "Scores by complexity, with givens removed or replaced (count) or noise added (standard deviations), "
        f"and correlation of solving with complexity (no unit), by \u03c3. {IN_TABLES}"
    )
    return Section(
        key="robustness",
        title="Harder inputs",
        question="Do tables from small \u03c3 bear noise and missing givens better?",
        figures=[inputs.figure("robustness", caption, "robustness")],
        tables=by_task("robustness", INPUTS_CAPTION, estimates, [*columns, LABEL, *ESTIMATE]),
    )

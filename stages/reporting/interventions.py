"""What trained models lose when their tables are changed, beside matched controls."""

import pandas as pd

from stages.reporting.estimates import over_seeds, words
from stages.reporting.inputs import SCORES, Inputs
from stages.reporting.numbers import sentence
from stages.reporting.section import ESTIMATE, Column, Figure, Section, Table

KEYS = ["task", "encoding", "intervention", "amount"]
WHAT = {
    "symmetric": "lines of the square permuted as wholes",
    "permuted": "tokens given each other's rows",
    "other_seed": "another seed's table",
    "sinusoid": "the sinusoid of true positions for the table",
    "components": "two leading principal components alone",
}
SHOWN_AMOUNT = {"components": 2.0, "other_seed": 1.0}
TABULATED = (*WHAT, "unchanged", "scaled")  # controls stand beside, transplants in the figure
COLUMNS = [
    *(
        Column("intervention", "table"),
        Column("amount", "amount", 2),
        Column("called", "encoding"),
        *ESTIMATE,
    ),
    *(Column("control", "control"), Column("beyond", "beyond the control", 3)),
    Column("beyond_low", "95 % interval", 3, high="beyond_high"),
]
CAPTION = (
    "{task}: score ({unit}) of trained models on validation examples with their learned table replaced, "
    "nothing trained again; draws averaged, mean over n seeds with its 95 % Student t interval. Beyond the "
    "control: difference from the matched control on the same seeds (unchanged; as many random directions; "
    "a random table of the same norm), n as before."
)
FIGURE = (
    "Scores (share of puzzles solved; masked error in variances of a token) with tables exchanged, reduced, "
    "rescaled and transplanted. Dots are seeds; 95 % intervals of the means and n are in the tables below."
)


def section(inputs: Inputs) -> Section:
    found = compared(inputs)
    tasks = list(found.groupby("task", sort=False))
    return Section(
        key="interventions",
        title="What a table's shape is needed for",
        question="What does a trained model lose when its table is changed, and is it the change itself?",
        paragraphs=[in_words(inputs, str(task), one) for task, one in tasks],
        figures=[
            Figure("interventions", inputs.figures["interventions"], FIGURE, ["tables/interventions.csv"])
        ],
        tables=[
            Table(
                f"interventions_{task}",
                CAPTION.format(task=sentence(str(task)), unit=SCORES[str(task)].unit),
                one[one.intervention.isin(TABULATED)],
                COLUMNS,
                folded=True,
            )
            for task, one in tasks
        ],
        further=["transplants/page.html"],
    )


def compared(inputs: Inputs) -> pd.DataFrame:
    """Per task, configuration, intervention and amount the score and its difference from the control's."""
    rows = inputs.tables["interventions"]
    rows = rows.assign(control=rows.control.fillna(""))
    each = rows.groupby([*KEYS, "control", "seed"], sort=False)[["value"]].mean().reset_index()
    found = over_seeds(inputs, each, [*KEYS, "control"])
    controls = each.drop(columns="control").rename(columns={"intervention": "control", "value": "of_control"})
    # a control has the amount of what it is the control of, or the only one there is
    exact = each.merge(controls, on=["task", "encoding", "control", "amount", "seed"])
    alone = controls[controls.control == "unchanged"].drop(columns="amount")
    whole = each.merge(alone, on=["task", "encoding", "control", "seed"])
    paired = pd.concat([exact[exact.control != "unchanged"], whole])
    beyond = over_seeds(inputs, paired.assign(value=paired.value - paired.of_control), KEYS)
    beyond = beyond.rename(columns={"mean": "beyond", "low": "beyond_low", "high": "beyond_high"})
    return found.merge(beyond[[*KEYS, "beyond", "beyond_low", "beyond_high"]], on=KEYS, how="left")


def in_words(inputs: Inputs, task: str, found: pd.DataFrame) -> str:
    """What the best of the learned tables makes of each change."""
    score = SCORES[task]
    intact = found[found.intervention == "unchanged"].sort_values(
        "mean", ascending=not score.higher_is_better, kind="stable"
    )
    if intact.empty:
        return f"{sentence(task)}: no learned table."
    best = intact.iloc[0]
    rows = found[found.encoding == best.encoding]
    said = []
    for name, what in WHAT.items():
        one = rows[(rows.intervention == name) & (rows.amount == SHOWN_AMOUNT.get(name, 1.0))]
        said += [f"with {what} {words(row)}" for _, row in one.iterrows()]
    return (
        f"{sentence(task)} ({score.unit}), {best.called}: unchanged {words(best)}; {'; '.join(said)}."
        if said
        else f"{sentence(task)}, {best.called}: unchanged {words(best)}."
    )

"""The probe: which encodings tell identical tokens apart, theory beside what was trained."""

import pandas as pd

from stages.reporting.inputs import Inputs, called
from stages.reporting.numbers import listed
from stages.reporting.section import ESTIMATE, Column, Figure, Section, Table
from stages.tasks.probe.facts import Data

COLUMNS = [
    *(Column("called", "configuration"), Column("normaliser", "normaliser"), Column("block", "block")),
    *(Column("markers", "markers"), Column("rows_theory", "rows, theory", 0), Column("rows", "rows", 0)),
    *(Column("accuracy_theory", "accuracy, theory", 3), *ESTIMATE, Column("agrees", "as theory says")),
]
CAPTION = (
    "Accuracy, share of {n} identical tokens that are told their own index, after training: mean over n "
    "seeds with its 95 % Student t interval, beside the greatest that theory allows. Rows: different rows of "
    "outputs of a random model."
)
FIGURE = (
    "Left, different rows of outputs (count); right, share of tokens told right. Dots are seeds; 95 % "
    "intervals of the means and n are in the table below."
)


def section(inputs: Inputs) -> Section:
    found = beside_theory(inputs)
    n = inputs.settings.data("probe", Data).tokens
    return Section(
        key="probe",
        title="Telling identical tokens apart",
        question="Can a transformer with this encoding tell equal tokens apart (Su Jianlin's probe)?",
        paragraphs=[in_words(found)],
        figures=[Figure("probe", inputs.figures["probe"], FIGURE, ["tables/probe.csv", "tables/runs.csv"])],
        tables=[Table("probe", CAPTION.format(n=n), found, COLUMNS)],
    )


def beside_theory(inputs: Inputs) -> pd.DataFrame:
    """A row per configuration of probe.csv, with the estimate of its accuracy over seeds."""
    found = inputs.tables["intervals"]
    found = found[(found.task == "probe") & (found.metric == "accuracy")].set_index("encoding")
    trained = found[["mean", "low", "high", "n"]]
    table = inputs.tables["probe"].rename(
        columns={"distinct_rows_theory": "rows_theory", "distinct_rows": "rows"}
    )
    kept = ["configuration", "normaliser", "block", "markers", "rows_theory", "rows", "accuracy_theory"]
    found = table[kept].join(trained, on="configuration")
    found["agrees"] = [agreement(value) for value in table.agrees]
    return found.assign(called=[called(inputs, "probe", name) for name in found.configuration])


def agreement(value: object) -> str | None:
    """What the page says for `agrees` of probe.csv, which reads as text where values are missing."""
    return {"True": "yes", "False": "no", "bound": "below the bound"}.get(str(value))


def in_words(found: pd.DataFrame) -> str:
    known = found.dropna(subset="agrees")
    below, against = (known[known.agrees == kind].called.tolist() for kind in ("below the bound", "no"))
    sentences = [
        f"{(known.agrees == 'yes').sum()} of {len(known)} configurations do what theory says of them."
    ]
    if below:
        sentences.append(f"Below the bound that theory gives, after this training: {listed(below)}.")
    if against:
        sentences.append(f"Not as theory says: {listed(against)}.")
    return " ".join(sentences)

import pandas as pd
import pytest
from a_report import inputs, with_table

from stages.reporting import theory


def test_the_probe_stands_beside_theory_best_first() -> None:
    probe = pd.DataFrame(
        {"configuration": ["a", "b", "c"], "agrees": ["True", "False", None], "n": 16, "distinct_rows": 12.0}
    ).assign(
        normaliser="softmax",
        block="gau",
        markers="none",
        mask="none",
        distinct_rows_theory=12,
        accuracy_theory=1,
    )
    intervals = pd.DataFrame({"encoding": ["a", "b"], "mean": [0.25, 0.75], "low": 0.1, "high": 0.9, "n": 3})
    intervals = intervals.assign(task="probe", split="train", metric="accuracy")
    section = theory.probe_section(inputs(tables={"probe": probe, "intervals": intervals}))
    assert section.paragraphs == ["1 of 2 configurations do what theory says of them. Not as theory says: b."]
    cells = section.tables[0].cells()
    assert [(row[0], row[-1]) for row in cells] == [("b", "no"), ("a", "yes"), ("c", "\u2013")]
    assert cells[0][-4:-1] == ["0.750", "[0.100, 0.900]", "3"]


CLAIMS = pd.DataFrame(
    {
        "n": 9,
        "width": 32,
        "kind": ["wavelength"] * 2 + ["residual"] * 2,
        "measured": [2.0, 11.0, 1e-9, 3e-9],
        "formula": [2.0, 10.0, 0.0, 0.0],
    }
)


def test_the_sinusoid_keeps_its_worst_errors() -> None:
    (row,) = theory.check_sinusoid(CLAIMS).to_dict("records")
    worst = {"width": 32, "shortest": 2.0, "longest": 11.0, "ratio": 0.1, "residual": 3e-9}
    assert row == pytest.approx(worst)
    section = theory.sinusoid_section(with_table("fixed_encodings", CLAIMS))
    assert "residual of a shift is 3.0e\u221209" in section.paragraphs[0]
    assert [table.name for table in section.tables] == ["sinusoid"]


def test_likeness_is_of_cosines_of_whole_tables() -> None:
    known = with_table("fixed_encodings", CLAIMS)
    known.tables["alignment"]["measure"] = "spearman_cosine"
    table = theory.sinusoid_section(known).tables[1]
    assert table.name == "like_a_sinusoid" and table.frame["mean"].tolist() == pytest.approx([0.6, 0.0])

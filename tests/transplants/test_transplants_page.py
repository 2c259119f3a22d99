import pandas as pd
import pytest

from stages.reporting.page import page
from stages.transplants.entries import Transplant
from stages.transplants.page import estimate_scores, pair_transplants, sections

KEYS = ["donor", "tables", "host", "weights", "frozen"]
TRANSPLANTS = {
    "small": Transplant("s", "final", "s", "fresh", True),
    "permuted": Transplant("s", "permuted", "s", "fresh", True),
    "large": Transplant("l", "final", "l", "fresh", True),
    "on": Transplant("s", "final", "s", "fresh", False),
    "in_large": Transplant("s", "final", "l", "trained", True),
}
VALUES = {
    "small": [0.9, 1.0],
    "permuted": [0.5, 1.0],
    "large": [0.2, 0.3],
    "on": [0.9, 0.9],
    "in_large": [0.4, 0.4],
}
ITSELF = ("grid", "s itself", 0, "accuracy", 1.0, 0.95, "s", "final", "s", "trained", None)


def table() -> pd.DataFrame:
    rows = [
        ("grid", name, seed, "accuracy", 1.0, value, *(getattr(TRANSPLANTS[name], key) for key in KEYS))
        for name, values in VALUES.items()
        for seed, value in enumerate(values)
    ]
    columns = ["task", "transplant", "seed", "metric", "train", "value", *KEYS]
    frame = pd.DataFrame([ITSELF, *rows], columns=columns)
    return frame.assign(frozen=frame.frozen.astype(float))  # as the file is read


def test_pairs_differ_in_one_thing_and_the_host_of_fresh_weights_is_none() -> None:
    assert pair_transplants(TRANSPLANTS) == {
        "which tables": [("small", "permuted")],
        "whose tables": [("small", "large")],
        "whether they are frozen": [("small", "on")],
        "the model": [("small", "in_large")],
    }


def test_scores_say_what_each_transplant_is() -> None:
    rows = estimate_scores(table()).set_index("transplant")
    assert rows["mean"]["small"] == pytest.approx(0.95) and rows.n["small"] == 2 and rows.n["s itself"] == 1
    assert rows.frozen.fillna("").to_dict() == {
        "s itself": "", "small": "yes", "permuted": "yes", "large": "yes", "on": "no", "in_large": "yes"
    }  # fmt: skip


def test_differences_are_counted_and_tabulated() -> None:
    (section,) = sections(table(), TRANSPLANTS, "data:,")
    which, whose, *_ = section.points
    assert whose.startswith("Of 1 pairs that differ in whose tables, 1 are told apart")
    assert which.startswith("Of 1 pairs that differ in which tables, 0 are told apart")
    assert which.endswith("(n = 2 seeds).")
    scored, tested = section.tables
    assert scored.cells()[1][:7] == ["small", "s", "final", "s", "fresh", "yes", "0.950"]
    assert tested.cells()[0][:7] == ["which tables", "small", "permuted", "2", "0.950", "0.750", "0.200"]
    assert "share of validation puzzles solved (higher is better)" in scored.caption


def test_names_are_escaped() -> None:
    renamed = {"<b>": TRANSPLANTS["small"], **TRANSPLANTS}
    rows = table().replace({"transplant": {"small": "<b>"}})
    html = page("T", "", sections(rows, renamed, "data:,"))
    assert "<b>" not in html and "&lt;b&gt;" in html


def test_nothing_differs_in_one_thing() -> None:
    alone = {"small": TRANSPLANTS["small"]}
    assert sections(table(), alone, "data:,")[0].points == []

import pandas as pd
import pytest

from stages.reporting.page import page
from stages.transplants.entries import Transplant
from stages.transplants.page import pairs, scores, sections

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
    found = pd.DataFrame([ITSELF, *rows], columns=columns)
    return found.assign(frozen=found.frozen.astype(float))  # as the file is read


def test_pairs_differ_in_one_thing_and_the_host_of_fresh_weights_is_none() -> None:
    assert pairs(TRANSPLANTS) == {
        "which tables": [("small", "permuted")],
        "whose tables": [("small", "large")],
        "whether they are frozen": [("small", "on")],
        "the model": [("small", "in_large")],
    }


def test_scores_say_what_each_transplant_is() -> None:
    rows = scores(table()).set_index("transplant")
    assert rows["mean"]["small"] == pytest.approx(0.95) and rows.n["small"] == 2 and rows.n["s itself"] == 1
    assert rows.frozen.fillna("").to_dict() == {
        "s itself": "", "small": "yes", "permuted": "yes", "large": "yes", "on": "no", "in_large": "yes"
    }  # fmt: skip


def test_differences_are_told_apart_by_their_intervals_and_names_escaped() -> None:
    told = sections(table(), TRANSPLANTS, "data:,")[0].points
    assert "Told apart: small minus large 0.700" in told[1] and "Not told apart: none" in told[1]
    assert "Told apart: none. Not told apart: small minus permuted 0.200" in told[0] and "n = 2" in told[0]
    renamed = {"<b>": TRANSPLANTS["small"], **TRANSPLANTS}
    rows = table().replace({"transplant": {"small": "<b>"}})
    assert "<b>" not in page("T", "", sections(rows, renamed, "data:,"))


def test_nothing_differs_in_one_thing() -> None:
    alone = {"small": TRANSPLANTS["small"]}
    assert sections(table(), alone, "data:,")[0].points == []

"""Page of a made-up table of transplants."""

from pathlib import Path

import pandas as pd
import pytest
from changed_params import write_params

from stages.files.artifacts import write_csv
from stages.tasks.facts import find_facts
from stages.transplants import draw

COLUMNS = ["task", "transplant", "seed", "metric", "train", "value"]
WHAT = ["donor", "tables", "host", "weights", "frozen"]
TRANSPLANTS = {  # what each is, and its score for two seeds
    "small": (("s", "final", "s", "fresh", True), (0.9, 1.0)),
    "permuted": (("s", "permuted", "s", "fresh", True), (0.5, 1.0)),
    "large": (("l", "final", "l", "fresh", True), (0.2, 0.3)),
    "on": (("s", "final", "s", "fresh", False), (0.9, 0.9)),
    "in_large": (("s", "final", "l", "trained", True), (0.4, 0.4)),
}
ROWS = [
    ("grid", name, seed, "accuracy", 1.0, value, *what)
    for name, (what, values) in TRANSPLANTS.items()
    for seed, value in enumerate(values)
]
ITSELF = ("grid", "s itself", 0, "accuracy", 1.0, 0.95, "s", "final", "s", "trained", None)
TABLE = pd.DataFrame([ITSELF, *ROWS], columns=COLUMNS + WHAT).astype({"frozen": float})  # as read from a file


def test_pairs_differ_in_one_thing_and_the_host_of_fresh_weights_is_none() -> None:
    assert draw.pair_transplants(TABLE) == {
        "which tables": [("small", "permuted")],
        "whose tables": [("small", "large")],
        "whether they are frozen": [("small", "on")],
        "the model": [("small", "in_large")],
    }


def test_scores_say_what_each_transplant_is() -> None:
    rows = draw.estimate_scores(TABLE).set_index("transplant")
    assert rows["mean"]["small"] == pytest.approx(0.95) and rows.n["small"] == 2 and rows.n["s itself"] == 1
    assert rows.frozen.fillna("").to_dict() == {
        "s itself": "", "small": "yes", "permuted": "yes", "large": "yes", "on": "no", "in_large": "yes"
    }  # fmt: skip


def test_differences_are_counted_and_tabulated() -> None:
    section = draw.section(find_facts("grid"), TABLE)
    which, whose, *_ = section.points
    assert whose.startswith("Of 1 pairs that differ in whose tables, 1 are told apart")
    assert which.startswith("Of 1 pairs that differ in which tables, 0 are told apart")
    assert which.endswith("(n = 2 seeds).")
    scored, tested = section.tables
    assert scored.cells()[1][:7] == ["small", "s", "final", "s", "fresh", "yes", "0.950"]
    assert tested.cells()[0][:7] == ["which tables", "small", "permuted", "2", "0.950", "0.750", "0.200"]
    assert "share of validation puzzles solved (higher is better)" in scored.caption
    alone = TABLE[TABLE["transplant"] == "small"]
    assert draw.section(find_facts("grid"), alone).points == []


def test_names_are_escaped_and_the_figure_stands_once(tmp_path: Path) -> None:
    write_params(tmp_path, {})
    renamed = TABLE.replace({"transplant": {"small": "<b>"}})
    write_csv(tmp_path / draw.TABLE, pd.concat([renamed, renamed.assign(task="network", metric="mse")]))
    draw.main(tmp_path)
    html = (tmp_path / "reports/transplants/page.html").read_text()
    assert "<b>" not in html and "&lt;b&gt;" in html
    assert html.count('src="scores.png"') == 1

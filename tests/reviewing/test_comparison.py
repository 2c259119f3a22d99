"""Files of two trained cells side by side: altered weights, chaos, and tolerated rounding told apart."""

import hashlib
from pathlib import Path

import numpy as np
import pytest

from stages.files import artifacts
from stages.reviewing.comparison import compare, worst_input
from stages.reviewing.pipeline import Stage
from stages.reviewing.tolerances import Outcome

CELL = "data/models/grid/focus"
STAGE = Stage("train", "", ("data/grid",), (CELL,))
TRANSPLANTED = "data/transplants/grid/small"
HISTORY = "seed,epoch,split,metric,value\n0,1,train,loss,{}\n0,2,train,loss,0.5\n0,2,test,accuracy,{}\n"


def cell(root: Path, weight: float, loss: float, accuracy: float) -> Path:
    artifacts.write_arrays(root / CELL / "weights.npz", {"w": np.array([1.0, weight])})
    (root / CELL / "history.csv").write_text(HISTORY.format(loss, accuracy))
    return root


@pytest.mark.parametrize(
    ("replayed", "weights", "why"),
    [
        ((2.0, 0.9, 0.8), Outcome.IDENTICAL, ""),
        ((2.4, 0.9, 0.8), Outcome.DIFFERENT, ""),  # nothing in the history explains it
        ((2.001, 0.9, 0.8), Outcome.AMPLIFIED, ""),  # as of a parameter without a gradient
        ((2.4, 0.9000001, 0.81), Outcome.AMPLIFIED, ""),
        ((2.4, 0.9000001, 0.7), Outcome.DIFFERENT, "grown from rounding, w: 4.0e-01, relative 2.0e-01"),
        ((2.4, 0.95, 0.81), Outcome.DIFFERENT, ""),
    ],
)
def test_weights(tmp_path: Path, replayed: tuple[float, float, float], weights: Outcome, why: str) -> None:
    old, new = cell(tmp_path / "a", 2.0, 0.9, 0.8), cell(tmp_path / "b", *replayed)
    compared = {Path(file.path).name: file for file in compare(STAGE, old, new, {}, {})}
    assert compared["weights.npz"].outcome is weights and compared["weights.npz"].why == why


def test_a_transplant_is_judged_like_any_cell(tmp_path: Path) -> None:
    roots = cell(tmp_path / "a", 2.0, 0.9, 0.8), cell(tmp_path / "b", 2.4, 0.9000001, 0.81)
    for root in roots:
        (root / TRANSPLANTED).parent.mkdir(parents=True)
        (root / CELL).rename(root / TRANSPLANTED)
    compared = compare(Stage("transplant", "", (), (TRANSPLANTED,)), *roots, {}, {})
    assert {file.outcome for file in compared} == {Outcome.AMPLIFIED}


def test_a_file_on_one_side_alone_is_different(tmp_path: Path) -> None:
    old, new = (cell(tmp_path / side, 2.0, 0.9, 0.8) for side in "ab")
    (old / CELL / "tables.npz").touch()
    (new / CELL / "skipped.json").touch()
    why = {Path(file.path).name: file.why for file in compare(STAGE, old, new, {}, {})}
    assert why["tables.npz"] == "only in the artifact" and why["skipped.json"] == "only in the replay"


def test_an_absent_artifact_is_known_by_its_published_sum(tmp_path: Path) -> None:
    replay = cell(tmp_path / "b", 2.0, 0.9, 0.8)
    sums = {
        f"{CELL}/history.csv": "c" * 64,
        f"{CELL}/skipped.json": hashlib.sha256(b"{}").hexdigest(),
    }
    (replay / CELL / "skipped.json").write_bytes(b"{}")
    compared = compare(STAGE, tmp_path / "a", replay, {}, sums)
    assert [(file.outcome, file.why) for file in compared] == [
        (Outcome.UNKNOWN, "other bytes; the artifact is not here"),
        (Outcome.IDENTICAL, "by reports/SHA256SUMS"),
        (Outcome.UNKNOWN, "no artifact here"),
    ]


def test_inputs_are_as_good_as_their_worst() -> None:
    outcomes = {
        "data/grid/a.npz": Outcome.EQUAL,
        "data/grid/b.npz": Outcome.AMPLIFIED,
        "data/c": Outcome.DIFFERENT,
    }
    assert worst_input(STAGE, outcomes) is Outcome.AMPLIFIED
    assert worst_input(STAGE, {}) is Outcome.IDENTICAL

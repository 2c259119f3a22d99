"""Files of two trained cells side by side: altered weights, chaos, and tolerated rounding told apart."""

from pathlib import Path

import numpy as np
import pytest

from stages.files import artifacts
from stages.files.cells import MADE_BY
from stages.reviewing.comparison import AMPLIFIED, ROUNDING, SHADES, Compared, Outcome, compare, judge
from stages.reviewing.deviation import NOT_FINITE, Deviation, not_comparable

CELL = "data/studies/sigma/cells/grid-focus"
HISTORY = """seed,epoch,split,metric,value
0,1,train,loss,{loss}
0,2,test,accuracy,{amplified}
0,3,train,loss,{amplified}
0,3,test,accuracy,{accuracy}
1,3,test,accuracy,0.9
2,3,test,accuracy,0.7
"""
TABLE, PICTURE, WEIGHTS = Path("runs.csv"), Path("map.png"), Path("weights.safetensors")
SAME, EQUAL, TOLERATED = Outcome.IDENTICAL, Outcome.WITHIN_ROUNDING, Outcome.WITHIN_TOLERANCE
CHAOS, NOT_MEASURED, FAR = Outcome.SAME_CONCLUSIONS, Outcome.NOT_MEASURED, Outcome.DIFFERENT


def cell(root: Path, weight: float, loss: float, accuracy: float) -> Path:
    artifacts.write_arrays(root / CELL / "weights.npz", {"w": np.array([1.0, weight])})
    history = HISTORY.format(loss=loss, amplified=100 * accuracy, accuracy=accuracy)
    (root / CELL / "history.csv").write_text(history.replace("nan", ""))  # as tables are written
    return root


def compare_cells(old: Path, new: Path) -> dict[str, Compared]:
    """By the name of the file."""
    return {Path(file.path).name: file for file in compare(CELL, old, new, SAME)}


@pytest.mark.parametrize(
    ("replayed", "weights", "why"),
    [
        ((2.0, 0.9, 0.8), SAME, ""),
        # nothing in the history explains it
        ((2.4, 0.9, 0.8), FAR, "w: 4.0e-01, relative 2.0e-01"),
        # as of a parameter without a gradient
        ((2.001, 0.9, 0.8), TOLERATED, "w: 1.0e-03, relative 5.0e-04"),
        ((2.4, 0.9000001, 0.81), TOLERATED, "w: 4.0e-01, relative 2.0e-01"),
        # a seed ends elsewhere, or diverges: claims decide
        ((2.4, 0.9000001, 0.7), CHAOS, "w: 4.0e-01, relative 2.0e-01"),
        ((2.4, 0.9000001, float("nan")), CHAOS, "w: 4.0e-01, relative 2.0e-01"),
        # other data
        ((2.4, 0.95, 0.81), FAR, "w: 4.0e-01, relative 2.0e-01"),
    ],
)
def test_weights(tmp_path: Path, replayed: tuple[float, float, float], weights: Outcome, why: str) -> None:
    files = compare_cells(cell(tmp_path / "a", 2.0, 0.9, 0.8), cell(tmp_path / "b", *replayed))
    assert (files["weights.npz"].outcome, files["weights.npz"].why) == (weights, why)


def test_a_cell_of_other_length_has_not_grown_from_rounding(tmp_path: Path) -> None:
    roots = cell(tmp_path / "a", 2.0, 0.9, 0.8), cell(tmp_path / "b", 2.4, 0.9000001, 0.7)
    with (roots[1] / CELL / "history.csv").open("a") as history:
        history.write("0,4,test,accuracy,0.8\n")
    assert {file.outcome for file in compare_cells(*roots).values()} == {FAR}


@pytest.mark.parametrize(
    ("precision", "loss", "accuracy", "outcome"),
    [
        ("fp32", 0.905, 0.81, TOLERATED),
        ("fp32", 0.905, 0.7, CHAOS),  # claims decide
        ("fp32", 1.2, 0.81, FAR),  # other data
        ("bf16", 0.905, 0.81, FAR),  # the same precision rounds alike
    ],
)
def test_another_precision_is_another_kind_of_machine(
    tmp_path: Path, precision: str, loss: float, accuracy: float, outcome: Outcome
) -> None:
    old, new = cell(tmp_path / "a", 2.0, 0.9, 0.8), cell(tmp_path / "b", 2.4, loss, accuracy)
    for root, taken in ((old, "bf16"), (new, precision)):
        artifacts.write_json(root / CELL / MADE_BY, {"precision": taken})
    found = compare_cells(old, new)
    assert found["weights.npz"].outcome is outcome
    assert found[MADE_BY].outcome is (outcome if precision == "fp32" else SAME)


def test_a_file_on_one_side_alone_is_different(tmp_path: Path) -> None:
    old, new = (cell(tmp_path / side, 2.0, 0.9, 0.8) for side in "ab")
    (old / CELL / "tables.npz").touch()
    (new / CELL / "skipped.json").touch()
    why = {name: file.why for name, file in compare_cells(old, new).items() if file.outcome is FAR}
    assert why == {"tables.npz": "only in the artifact", "skipped.json": "only in the replay"}


def test_an_absent_artifact_is_known_by_its_sum_in_the_lock(tmp_path: Path) -> None:
    replay = cell(tmp_path / "b", 2.0, 0.9, 0.8)
    for recorded, outcome in ((True, SAME), (False, NOT_MEASURED)):
        compared = compare(CELL, tmp_path / "a", replay, SAME, recorded)
        assert {file.outcome for file in compared} == {outcome}


def deviate(relative: float, absolute: float = 1.0) -> list[Deviation]:
    return [Deviation("value", absolute, relative)]


@pytest.mark.parametrize(
    ("path", "deviations", "inputs", "cell", "outcome"),
    [
        # rounding is allowed to everybody
        (TABLE, deviate(ROUNDING / 2), SAME, None, EQUAL),
        (TABLE, [], SAME, None, EQUAL),
        # more only from deviating inputs: from identical ones, 1 % off was not computed as the artifact was
        (TABLE, deviate(AMPLIFIED / 2), SAME, None, FAR),
        (TABLE, deviate(AMPLIFIED / 2), TOLERATED, None, TOLERATED),
        (TABLE, deviate(2 * AMPLIFIED), TOLERATED, None, FAR),
        # a p-value of 0.001 that becomes 0.002
        (TABLE, deviate(1.0, 0.001), EQUAL, None, TOLERATED),
        # a residual of 1.5e-14 that becomes 1.4e-14, but not one of 1e-9
        (TABLE, deviate(0.1, 1e-15), SAME, None, EQUAL),
        (TABLE, deviate(0.1, 1e-10), SAME, None, FAR),
        # labels have no absolute deviation
        (TABLE, deviate(0.5, 0.0), EQUAL, None, FAR),
        # far off, with other undefined numbers, from cells that ended elsewhere; but not in other shapes
        (TABLE, deviate(0.5), CHAOS, None, CHAOS),
        (TABLE, [not_comparable("a", NOT_FINITE)], CHAOS, None, CHAOS),
        (TABLE, [not_comparable("a", "shape")], CHAOS, None, FAR),
        (TABLE, deviate(AMPLIFIED / 2), CHAOS, None, TOLERATED),
        (Path("findings.md"), [not_comparable("", "bytes")], CHAOS, None, CHAOS),
        (Path("findings.md"), [not_comparable("", "bytes")], SAME, None, FAR),
        (WEIGHTS, deviate(0.3), SAME, CHAOS, CHAOS),
        # weights of a cell that grew from rounding and has equal scores
        (WEIGHTS, deviate(0.3), SAME, TOLERATED, TOLERATED),
        (WEIGHTS, deviate(0.3), SAME, None, FAR),
        (WEIGHTS, [not_comparable("a", "shape")], SAME, TOLERATED, FAR),
        # a picture is as good as its data, and from identical data the same but for shades
        (PICTURE, deviate(1.0), EQUAL, None, EQUAL),
        (PICTURE, deviate(1.0), FAR, None, FAR),
        (Path("map.html"), [not_comparable("", "bytes")], TOLERATED, None, TOLERATED),
        (PICTURE, deviate(1.0, SHADES), SAME, None, EQUAL),
        (PICTURE, deviate(1.0, 0.5), SAME, None, FAR),
    ],
)
def test_outcome_of_a_file(
    path: Path, deviations: list[Deviation], inputs: Outcome, cell: Outcome | None, outcome: Outcome
) -> None:
    assert judge(path, deviations, inputs, cell) is outcome

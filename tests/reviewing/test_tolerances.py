from pathlib import Path

import pytest

from stages.reviewing.deviation import Deviation, not_comparable
from stages.reviewing.tolerances import (
    AMPLIFIED,
    ROUNDING,
    SHADES,
    Outcome,
    judge,
    scores_are_equal,
)

TABLE, PICTURE, WEIGHTS = Path("runs.csv"), Path("map.png"), Path("weights.safetensors")


NONE, EQUAL, AMPLIFIED_INPUTS = Outcome.IDENTICAL, Outcome.EQUAL, Outcome.AMPLIFIED
FAR = Outcome.DIFFERENT


def deviate(relative: float, absolute: float = 1.0) -> list[Deviation]:
    return [Deviation("value", absolute, relative)]


@pytest.mark.parametrize(
    ("path", "deviations", "inputs", "cell", "outcome"),
    [
        # rounding is allowed to everybody
        (TABLE, deviate(ROUNDING / 2), NONE, False, Outcome.EQUAL),
        (TABLE, [], NONE, False, Outcome.EQUAL),
        # more only from deviating inputs: from identical ones, 1 % off was not computed as the artifact was
        (TABLE, deviate(AMPLIFIED / 2), NONE, False, FAR),
        (TABLE, deviate(AMPLIFIED / 2), AMPLIFIED_INPUTS, False, Outcome.AMPLIFIED),
        (TABLE, deviate(2 * AMPLIFIED), AMPLIFIED_INPUTS, False, FAR),
        # a p-value of 0.001 that becomes 0.002
        (TABLE, deviate(1.0, 0.001), EQUAL, False, Outcome.AMPLIFIED),
        # a residual of 1.5e-14 that becomes 1.4e-14, but not one of 1e-9
        (TABLE, deviate(0.1, 1e-15), NONE, False, Outcome.EQUAL),
        (TABLE, deviate(0.1, 1e-10), NONE, False, FAR),
        # labels have no absolute deviation
        (TABLE, deviate(0.5, 0.0), EQUAL, False, FAR),
        # weights of a cell that grew from rounding and has equal scores
        (WEIGHTS, deviate(0.3), NONE, True, Outcome.AMPLIFIED),
        (WEIGHTS, deviate(0.3), NONE, False, FAR),
        (WEIGHTS, [not_comparable("a", "shape")], NONE, True, FAR),
        # a picture is as good as its data, and from identical data the same but for shades
        (PICTURE, deviate(1.0), EQUAL, False, EQUAL),
        (PICTURE, deviate(1.0), FAR, False, FAR),
        (Path("map.svg"), [not_comparable("", "bytes")], AMPLIFIED_INPUTS, False, Outcome.AMPLIFIED),
        (PICTURE, deviate(1.0, SHADES), NONE, False, Outcome.EQUAL),
        (PICTURE, deviate(1.0, 0.5), NONE, False, FAR),
    ],
)
def test_outcome_of_a_file(
    path: Path, deviations: list[Deviation], inputs: Outcome, cell: bool, outcome: Outcome
) -> None:
    assert judge(path, deviations, inputs, cell) is outcome


@pytest.mark.parametrize(("last", "equal"), [(0.61, True), (0.7, False), (float("nan"), False)])
def test_final_scores_count_and_nothing_before(tmp_path: Path, last: float, equal: bool) -> None:
    table = "seed,epoch,split,metric,value\n0,1,test,mse,{}\n0,2,train,loss,{}\n0,2,test,mse,{}\n"
    for name, values in (("one", (0.9, 0.9, 0.6)), ("other", (0.8, 0.8, last))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "history.csv").write_text(table.format(*values))
    assert scores_are_equal(tmp_path / "one", tmp_path / "other") is equal

"""A cell stands beside the floor of its own data, or its study is refused."""

from typing import Any

import pandas as pd
import pytest
from small_studies import claim, make_scores, make_study

from stages.studies.expansion import expand_study
from stages.studies.judge import judge
from stages.studies.pairing import find_pairs

QUIET = {"scheme": "learned", "set": {"network.noise": 0.1}}
OTHER = {"scheme": "learned", "init_std": 2.0}
NODES = {"of": "network.nodes", "values": [12, 18]}


@pytest.mark.parametrize(
    ("cells", "axis", "said"),
    [
        ({"one": QUIET, "two": OTHER}, None, r"without an axis \(network.noise 0.1 and as usual\)"),
        ({"one": OTHER, "two": OTHER | {"set": {"seed": 1}}}, None, "without an axis .as usual and seed 1"),
        ({"one": QUIET, "two": OTHER}, NODES, "at 12 .network.noise 0.1, network.nodes 12 and network.nodes"),
    ],
)
def test_two_data_at_one_value_of_the_axis_are_refused(cells: Any, axis: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        expand_study("own", make_study(cells=cells, axis=axis))
    expand_study("own", make_study(cells=dict.fromkeys(cells, QUIET), axis=axis))  # of one data


@pytest.mark.parametrize("floor", ["floor_gaussian", "floor_gaussian@18"])
def test_a_floor_of_other_data_is_refused(floor: str) -> None:
    cells = {"one": {"scheme": "learned"}, "giver": QUIET, "two": OTHER | {"start": {"tables": "giver"}}}
    for side in ("giver", "giver@12"):
        claims = {"c": claim({"task": "network", "a": side, "b": floor})}
        with pytest.raises(ValueError, match="'giver' at 12 has data of its own on network, but 'floor_"):
            expand_study("own", make_study(cells=cells, axis=NODES, claims=claims))
    claims = {"c": claim({"task": "network", "a": "one@12", "b": floor})}
    study = make_study(cells={"one": cells["one"]}, axis=NODES, claims=claims)
    if "@" not in floor:
        expand_study("own", study)
        return
    with pytest.raises(ValueError, match="'one' at 12 has data of its own"):
        expand_study("own", study)


@pytest.mark.parametrize("change", [{"device": "cpu"}, {"compute.threads": 2}, {"pe.init_std": 1.0}])
def test_what_changes_no_data_makes_none_of_its_own(change: dict[str, Any]) -> None:
    expanded = expand_study("own", make_study(focus=True, set=change))
    assert expanded["data"] == {} and list(expanded["floors"]) == ["floors-network"]


FLOORS = {("floor_gaussian", ""): [0.5], ("floor_gaussian", "12"): [0.2], ("floor_gaussian", "18"): [0.8]}
CELLS = {("one", "12"): [0.3, 0.31, 0.32], ("one", "18"): [0.7, 0.71, 0.72], ("alone", ""): [0.4, 0.41, 0.42]}


@pytest.mark.parametrize(
    ("cell", "expected"),
    [("one", ["12", "18"]), ("one@18", ["18"]), ("alone", [""])],
)
def test_a_floor_stands_beside_cells_of_its_data_alone(cell: str, expected: list[str]) -> None:
    scores = make_scores(FLOORS | CELLS)
    found = find_pairs(scores, "network", "score", cell, "floor_gaussian")
    assert [(a[1], b[1]) for a, b in found] == [(at, at) for at in expected]
    swapped = find_pairs(scores, "network", "score", "floor_gaussian", cell)
    assert [(b, a) for a, b in swapped] == found


def test_verdicts_are_beside_the_floor_of_the_same_data() -> None:
    cells = {"one": {"scheme": "learned"}, "alone": {"scheme": "none", "at": []}}
    tests = [{"task": "network", "a": cell, "b": "floor_gaussian"} for cell in ("one@12", "alone")]
    study = make_study(cells=cells, axis=NODES, claims={"c": claim(*tests)})
    rows: pd.DataFrame = judge(study, make_scores(FLOORS | CELLS), None)
    assert rows.mean_b.tolist() == pytest.approx([0.2, 0.5]) and rows.outcome.tolist() == ["opposed", "holds"]

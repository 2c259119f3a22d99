"""Data of a study's own: a cell stands beside the baseline of its own data, or its study is refused."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from small_studies import SIGMA, claim, expand_study, make_scores, make_study, write_study

from stages.studies.judging.judge import judge
from stages.studies.judging.pairing import find_pairs
from stages.studies.planning.plan import plan_study

QUIET = {"scheme": "learned", "set": {"network.noise": 0.1}}
OTHER = {"scheme": "learned", "init_std": 2.0}
NODES: dict[str, Any] = {"of": "network.nodes", "values": [12, 18]}


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
        expand_study(cells=cells, axis=axis)
    expand_study(cells=dict.fromkeys(cells, QUIET), axis=axis)  # of one data


@pytest.mark.parametrize(
    ("side", "floor", "said"),
    [
        ("giver", "floor_gaussian", "'giver' at 12 has data of its own on network, but 'floor_"),
        ("giver@12", "floor_gaussian@18", "'giver' at 12 has data of its own"),
        ("one@12", "floor_gaussian@18", "'one' at 12 has data of its own"),
        ("one@12", "floor_gaussian", ""),
    ],
)
def test_a_floor_of_other_data_is_refused(side: str, floor: str, said: str, tmp_path: Path) -> None:
    cells = {"one": {"scheme": "learned"}, "giver": QUIET, "two": OTHER | {"start": {"tables": "giver"}}}
    claims = {"c": claim({"task": "network", "a": side, "b": floor})}
    write_study(tmp_path, {}, cells=cells, axis=NODES, claims=claims)
    if not said:
        plan_study(tmp_path, "own")
        return
    with pytest.raises(ValueError, match=said):
        plan_study(tmp_path, "own")


def test_other_data_are_made_once_and_shared_with_their_baselines() -> None:
    given = {"learned": {"scheme": "learned"}, "none": {"scheme": "none", "set": {"training.epochs": 3}}}
    expanded = expand_study(cells=given, axis=NODES)
    folder = Path("data/studies/own/data")
    made = {f"network-learned-{n}": (folder / f"network-learned-{n}", n) for n in NODES["values"]}
    found = {
        name: (one.folder, one.settings.sections["network"]["nodes"]) for name, one in expanded.own.items()
    }
    assert found == made
    assert expanded.cells["network-none-12"].data == folder / "network-learned-12"
    assert at_of(cells=given, axis=NODES) == {f"floors-network-learned-{n}": (str(n),) for n in (12, 18)}


def at_of(**values: Any) -> dict[str, tuple[str, ...]]:
    """List the values of the axis that baselines stand at."""
    return {name: one.at for name, one in expand_study(**values).baselines.items()}


def test_baselines_of_one_data_stand_at_every_value_of_the_axis() -> None:
    usual = expand_study(axis=SIGMA)  # which changes training alone
    assert usual.own == {} and usual.baselines["floors-network"].data == Path("data/tasks/network")
    assert at_of(axis=SIGMA) == {"floors-network": ("",)}
    assert list(at_of(axis=SIGMA, set={"network.nodes": 9}).values()) == [("",)]
    assert at_of(axis={"settings": {"usual": {}, "more": {"network.nodes": 9}}}) == {
        "floors-network": ("usual",),
        "floors-network-learned-more": ("more",),
    }


def test_another_scale_has_data_of_its_own_and_tasks_without_data_have_none() -> None:
    expanded = expand_study(tasks=["network", "probe"], scale="paper")
    assert [(name, one.settings.scale) for name, one in expanded.own.items()] == [("network", "paper")]
    assert expanded.cells["probe-learned"].data is None and list(expanded.baselines) == ["floors-network"]


FLOORS = {("floor_gaussian", ""): [0.5], ("floor_gaussian", "12"): [0.2], ("floor_gaussian", "18"): [0.8]}
CELLS = {("one", "12"): [0.3, 0.31, 0.32], ("one", "18"): [0.7, 0.71, 0.72], ("alone", ""): [0.4, 0.41, 0.42]}


@pytest.mark.parametrize(
    ("cell", "expected"),
    [("one", ["12", "18"]), ("one@18", ["18"]), ("alone", [""])],
)
def test_a_floor_stands_beside_cells_of_its_data_alone(cell: str, expected: list[str]) -> None:
    scores = make_scores(FLOORS | CELLS)
    found = find_pairs(scores, cell, "floor_gaussian")
    assert [(a[1], b[1]) for a, b in found] == [(at, at) for at in expected]
    swapped = find_pairs(scores, "floor_gaussian", cell)
    assert [(b, a) for a, b in swapped] == found


def test_verdicts_are_beside_the_floor_of_the_same_data() -> None:
    cells = {"one": {"scheme": "learned"}, "alone": {"scheme": "none", "at": []}}
    tests = [{"task": "network", "a": cell, "b": "floor_gaussian"} for cell in ("one@12", "alone")]
    study = make_study(cells=cells, axis=NODES, claims={"c": claim(*tests)})
    rows: pd.DataFrame = judge(study, make_scores(FLOORS | CELLS), None)
    assert rows.mean_b.tolist() == pytest.approx([0.2, 0.5]) and rows.outcome.tolist() == ["opposed", "holds"]

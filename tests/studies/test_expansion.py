from typing import Any

import pytest
from small_studies import SIGMA, make_study

from stages.studies.expansion import expand_study

CELLS: dict[str, dict[str, Any]] = {
    "learned": {"scheme": "learned"},
    "fixed": {"scheme": "random_fixed", "init_std": 0.1},
    "none": {"scheme": "none"},
}


def cells_of(**values: Any) -> dict[str, dict[str, Any]]:
    groups = expand_study("own", make_study(**values))["cells"].values()
    return {key: cell for of_group in groups for key, cell in of_group.items()}


def test_keys_say_task_cell_and_value_of_an_axis_that_concerns_the_cell() -> None:
    cells = cells_of(cells=CELLS, axis=SIGMA, tasks=["grid", "network"], focus=True)
    names = ("focus", "learned-0_2", "learned-2", "fixed", "none")  # `fixed` says its own σ, `none` has none
    assert set(cells) == {f"{task}-{name}" for task in ("grid", "network") for name in names}
    assert cells["grid-learned-0_2"] == {
        "task": "grid", "cell": "learned", "at": "0.2", "scheme": "learned", "data": "data/tasks/grid",
        "configuration": {"scheme": "learned", "init_std": 0.2},
    }  # fmt: skip
    assert cells["grid-focus"]["configuration"] is None and cells["grid-none"]["at"] == ""


def test_an_axis_of_a_parameter_or_of_settings_concerns_every_cell() -> None:
    axis = {"of": "recordings.mask_fraction", "values": [0.1, 0.5]}
    cells = cells_of(cells=CELLS, axis=axis, tasks=["recordings"])
    assert len(cells) == 6 and cells["recordings-none-0_1"]["set"] == {"recordings.mask_fraction": 0.1}
    heads = cells_of(cells=CELLS, axis={"of": "model.heads", "values": [2, 4]}, tasks=["grid"])
    assert str(heads["grid-none-2"]["set"]) == "{'model.heads': 2}"  # and not 2.0, which no model has
    t5 = {"t5": {"scheme": "t5_bias"}}
    reach = cells_of(cells=t5, axis={"of": "max_distance", "values": [16, 32]}, tasks=["grid"])
    assert str(reach["grid-t5-16"]["configuration"]["max_distance"]) == "16"
    settings: dict[str, Any] = {"usual": {}, "long": {"training.epochs": 9, "tasks": ["grid"]}}
    given = CELLS | {"none": {"scheme": "none", "at": ["usual"]}}
    cells = cells_of(cells=given, axis={"settings": settings}, tasks=["grid", "network"])
    of_grid = {"learned-usual", "learned-long", "fixed-usual", "fixed-long", "none-usual"}
    assert set(cells) == {f"grid-{name}" for name in of_grid} | {
        "network-learned-usual", "network-fixed-usual", "network-none-usual",
    }  # fmt: skip
    assert cells["grid-learned-long"]["set"] == {"training.epochs": 9}
    assert "set" not in cells["grid-none-usual"]


def test_a_task_s_section_and_what_is_given_for_a_task_change_no_other() -> None:
    changes = {"network.held_out": 0.5, "training.epochs": {"network": 40}, "model.heads": 2}
    cells = cells_of(cells={"none": {"scheme": "none"}}, tasks=["grid", "network"], set=changes)
    assert cells["network-none"]["set"] == changes | {"training.epochs": 40}
    assert cells["grid-none"]["set"] == {"model.heads": 2} and cells["grid-none"]["data"] == "data/tasks/grid"


def test_a_mapping_gives_each_task_its_own_value() -> None:
    chosen = {"grid": "same_line", "network": "graph_distance"}
    given = {"mds": {"scheme": "mds", "distances": chosen, "set": {"model.heads": {"grid": 1, "network": 2}}}}
    cells = cells_of(cells=given, tasks=["grid", "network"])
    for task, heads in (("grid", 1), ("network", 2)):
        assert cells[f"{task}-mds"]["configuration"]["distances"] == chosen[task]
        assert cells[f"{task}-mds"]["set"] == {"model.heads": heads}
    with pytest.raises(ValueError, match="no value for recordings; add it"):
        cells_of(cells=given, tasks=["grid", "network", "recordings"])


def test_what_a_cell_leaves_open_by_null_is_as_if_it_said_nothing() -> None:
    said = {"tasks": None, "at": None, "seeds": None}
    start = {"tables": "learned"}
    given: dict[str, dict[str, Any]] = {"learned": CELLS["learned"], "b": CELLS["learned"] | {"start": start}}
    null = {name: cell | said for name, cell in given.items()}
    assert cells_of(cells=null, axis=SIGMA) == cells_of(cells=given, axis=SIGMA)
    null["b"]["start"] = {"tables": "learned", "weights": None}
    assert cells_of(cells=null)["network-b"]["start"] == {"tables": "network-learned", "weights": None}


def test_seeds_are_counted_from_the_first_together_or_apart() -> None:
    given = {"a": {"scheme": "learned", "seeds": 2, "first_seed": 8}, "b": {"scheme": "none"}}
    cells = cells_of(cells=given, seeds=3)
    assert (cells["network-a"]["seeds"], cells["network-b"]["seeds"]) == ([8, 9], [0, 1, 2])
    apart = cells_of(cells=given, seeds=3, seeds_apart=True)
    assert {key: cell["seeds"] for key, cell in apart.items()} == {
        "network-a-8": [8], "network-a-9": [9], "network-b-0": [0], "network-b-1": [1], "network-b-2": [2],
    }  # fmt: skip
    with pytest.raises(ValueError, match="seeds: missing with seeds_apart"):
        cells_of(seeds_apart=True)


def test_other_data_are_made_once_and_shared_with_their_floors() -> None:
    axis = {"of": "network.graph", "values": []} | {"of": "network.nodes", "values": [9, 12]}
    given = CELLS | {"usual": {"scheme": "none", "set": {"training.epochs": 3}}}
    expanded = expand_study("own", make_study(cells=given, axis=axis))
    made = {f"network-learned-{n}": {"network.nodes": n} for n in (9, 12)}
    assert {key: data["set"] for key, data in expanded["data"].items()} == made
    assert expanded["cells"]["network"]["network-none-9"]["data"] == "data/studies/own/data/network-learned-9"
    assert {key: floors["at"] for key, floors in expanded["floors"].items()} == {
        "floors-network-learned-9": ["9"], "floors-network-learned-12": ["12"],
    }  # fmt: skip
    settings = {"usual": {}, "more": {"network.nodes": 9}}
    expanded = expand_study("own", make_study(axis={"settings": settings}))
    assert {key: floors["at"] for key, floors in expanded["floors"].items()} == {
        "floors-network": ["usual"], "floors-network-learned-more": ["more"],
    }  # fmt: skip
    changed = expand_study("own", make_study(axis=SIGMA, set={"network.nodes": 9}))
    assert [floors["at"] for floors in changed["floors"].values()] == [[""]]  # one at every value
    usual = expand_study("own", make_study(cells=given, axis=SIGMA))  # whatever changes training alone
    assert usual["data"] == {} and usual["floors"] == {
        "floors-network": {
            "task": "network", "data": "data/tasks/network", "scale": None, "set": {}, "at": [""],
        }
    }  # fmt: skip


def test_another_scale_has_data_of_its_own_and_tasks_without_data_have_none() -> None:
    expanded = expand_study("own", make_study(tasks=["network", "probe"], scale="paper"))
    assert expanded["data"] == {"network": {"task": "network", "scale": "paper", "set": {}}}
    assert expanded["cells"]["probe"]["probe-learned"]["data"] is None
    assert list(expanded["floors"]) == ["floors-network"]


def test_donors_are_cells_at_the_same_value_of_the_axis_or_without_one() -> None:
    given = CELLS | {
        "given": {"scheme": "learned", "start": {"tables": "learned", "sized_as": "fixed", "frozen": True}},
        "drawn": {"scheme": "learned", "trained": False},
    }
    expanded = expand_study("own", make_study(cells=given, axis=SIGMA))
    assert expanded["cells"]["network_from_tables_sized_as"]["network-given-0_2"]["start"] == {
        "tables": "network-learned-0_2", "sized_as": "network-fixed", "frozen": True,
    }  # fmt: skip
    assert list(expanded["cells"]["network_untrained"]) == ["network-drawn-0_2", "network-drawn-2"]
    lost = {"lost": {"scheme": "learned", "start": {"tables": "nobody"}}}
    with pytest.raises(ValueError, match="lost.start.tables: no cell network-nobody; correct the name"):
        cells_of(cells=lost)

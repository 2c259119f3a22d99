"""Cells as a study asks for them."""

from pathlib import Path
from typing import Any

import pytest
from small_studies import SIGMA, cells_of

from stages.studies.cells import Start

CELLS: dict[str, dict[str, Any]] = {
    "learned": {"scheme": "learned"},
    "fixed": {"scheme": "random_fixed", "init_std": 0.1},
    "none": {"scheme": "none"},
}


def test_keys_say_task_cell_and_value_of_an_axis_that_concerns_the_cell() -> None:
    cells = cells_of(cells=CELLS, axis=SIGMA, tasks=["grid", "network"], focus=True)
    names = ("focus", "learned-0_2", "learned-2", "fixed", "none")  # `fixed` says its own σ, `none` has none
    assert set(cells) == {f"{task}-{name}" for task in ("grid", "network") for name in names}
    cell = cells["grid-learned-0_2"]
    assert (cell.task, cell.name, cell.at, cell.data) == ("grid", "learned", "0.2", Path("data/tasks/grid"))
    assert cell.configuration.settings == {"init_std": 0.2} and not cell.is_focus
    assert cells["grid-focus"].configuration.path == "pe" and cells["grid-focus"].is_focus


def test_a_cell_has_the_parameters_and_configuration_of_its_changes() -> None:
    given = {"scheme": "learned", "set": {"training.epochs": 5, "configuration.mask": "causal"}}
    cells = cells_of(cells={"changed": given}, focus=True, set={"pe.init_std": 0.3})
    cell, focus = cells["network-changed"], cells["network-focus"]
    assert cell.settings.training("network").epochs == 5 and focus.settings.training("network").epochs == 2
    assert cell.configuration.architecture.mask == "causal" and cell.seeds == (0, 1)
    assert (focus.configuration.scheme, focus.configuration.settings) == ("learned", {"init_std": 0.3})


def test_an_axis_of_a_parameter_or_of_settings_concerns_every_cell() -> None:
    axis = {"of": "recordings.mask_fraction", "values": [0.1, 0.5]}
    cells = cells_of(cells=CELLS, axis=axis, tasks=["recordings"])
    assert len(cells) == 6 and cells["recordings-none-0_1"].changes == {"recordings.mask_fraction": 0.1}
    heads = cells_of(cells=CELLS, axis={"of": "model.heads", "values": [2, 4]}, tasks=["grid"])
    assert str(heads["grid-none-2"].changes) == "{'model.heads': 2}"  # and not 2.0, which no model has
    t5 = {"t5": {"scheme": "t5_bias"}}
    reach = cells_of(cells=t5, axis={"of": "max_distance", "values": [16, 32]}, tasks=["grid"])
    assert str(reach["grid-t5-16"].configuration.settings["max_distance"]) == "16"
    settings: dict[str, Any] = {"usual": {}, "long": {"training.epochs": 9, "tasks": ["grid"]}}
    given = CELLS | {"none": {"scheme": "none", "at": ["usual"]}}
    cells = cells_of(cells=given, axis={"settings": settings}, tasks=["grid", "network"])
    of_grid = {"learned-usual", "learned-long", "fixed-usual", "fixed-long", "none-usual"}
    assert set(cells) == {f"grid-{name}" for name in of_grid} | {
        "network-learned-usual", "network-fixed-usual", "network-none-usual",
    }  # fmt: skip
    assert cells["grid-learned-long"].changes == {"training.epochs": 9}
    assert cells["grid-none-usual"].changes == {}


def test_a_task_s_section_and_what_is_given_for_a_task_change_no_other() -> None:
    changes = {"network.held_out": 0.5, "training.epochs": {"network": 40}, "model.heads": 2}
    cells = cells_of(cells={"none": {"scheme": "none"}}, tasks=["grid", "network"], set=changes)
    assert cells["network-none"].changes == changes | {"training.epochs": 40}
    assert cells["grid-none"].changes == {"model.heads": 2}
    assert cells["grid-none"].data == Path("data/tasks/grid") != cells["network-none"].data


def test_a_mapping_gives_each_task_its_own_value() -> None:
    chosen = {"grid": "same_line", "network": "graph_distance"}
    given = {"mds": {"scheme": "mds", "distances": chosen, "set": {"model.heads": {"grid": 1, "network": 2}}}}
    cells = cells_of(cells=given, tasks=["grid", "network"])
    for task, heads in (("grid", 1), ("network", 2)):
        assert cells[f"{task}-mds"].configuration.settings["distances"] == chosen[task]
        assert cells[f"{task}-mds"].changes == {"model.heads": heads}
    with pytest.raises(ValueError, match="no value for recordings; add it"):
        cells_of(cells=given, tasks=["grid", "network", "recordings"])


def test_what_a_cell_leaves_open_by_null_is_as_if_it_said_nothing() -> None:
    said = {"tasks": None, "at": None, "seeds": None}
    start = {"tables": "learned"}
    given: dict[str, dict[str, Any]] = {"learned": CELLS["learned"], "b": CELLS["learned"] | {"start": start}}
    null = {name: cell | said for name, cell in given.items()}
    assert cells_of(cells=null, axis=SIGMA) == cells_of(cells=given, axis=SIGMA)
    null["b"]["start"] = {"tables": "learned", "weights": None}
    assert cells_of(cells=null)["network-b"].start == Start(tables="network-learned")


def test_seeds_are_counted_from_the_first_together_or_apart() -> None:
    given = {"a": {"scheme": "learned", "seeds": 2, "first_seed": 8}, "b": {"scheme": "none"}}
    cells = cells_of(cells=given, seeds=3)
    assert (cells["network-a"].seeds, cells["network-b"].seeds) == ((8, 9), (0, 1, 2))
    apart = cells_of(cells=given, seeds=3, seeds_apart=True)
    assert {key: cell.seeds for key, cell in apart.items()} == {
        "network-a-8": (8,), "network-a-9": (9,),
        "network-b-0": (0,), "network-b-1": (1,), "network-b-2": (2,),
    }  # fmt: skip
    with pytest.raises(ValueError, match="seeds: missing; seeds_apart needs how many"):
        cells_of(seeds_apart=True)


def test_donors_are_cells_at_the_same_value_of_the_axis_or_without_one() -> None:
    given = CELLS | {
        "given": {"scheme": "learned", "start": {"tables": "learned", "sized_as": "fixed", "frozen": True}},
        "drawn": {"scheme": "learned", "init_std": 1.0, "trained": False},
    }
    cells = cells_of(cells=given, axis=SIGMA)
    start = Start(tables="network-learned-0_2", sized_as="network-fixed", frozen=True)
    assert cells["network-given-0_2"].start == start and not cells["network-drawn"].trained
    lost = {"lost": {"scheme": "learned", "start": {"tables": "nobody"}}}
    with pytest.raises(ValueError, match="lost.start.tables: no cell network-nobody; correct the name"):
        cells_of(cells=lost)


def test_what_is_said_of_some_goes_before_what_is_said_of_all() -> None:
    """A cell's own `set` and a named setting, before the study's `set`."""
    cells = {"a": CELLS["learned"] | {"set": {"model.blocks": 2}}}
    axis = {"settings": {"x": {"training.epochs": 7}}}
    made = cells_of(cells=cells, axis=axis, set={"model.blocks": 3, "training.epochs": 5})["network-a-x"]
    assert made.changes == {"model.blocks": 2, "training.epochs": 7}

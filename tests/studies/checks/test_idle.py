"""A study's change on which nothing of its cells depends is refused, with what makes it idle."""

import re
from pathlib import Path
from typing import Any

import pytest
from changed_params import change_settings
from small_studies import write_study

from stages.studies.planning.plan import plan_study
from stages.tasks.facts import find_facts

LEARNED = {"scheme": "learned"}
RING = {"network.graph": "ring"}
APART = {"network.between_degree": 0}
BOXES = {"grid.protocol": "boxes"}
UNTRAINED = {"training.epochs": 0}
LEFT = {"language.objective": "left_to_right", "configuration.mask": "causal"}


def along(of: str, *values: float, **more: Any) -> dict[str, Any]:
    return {"axis": {"of": of, "values": list(values)}} | more


@pytest.mark.parametrize(
    ("values", "why"),
    [
        (
            along("network.nodes", 10, 20, set={"network.graph": "file", "network.adjacency": "a.csv"}),
            "network.graph: file",
        ),
        (along("network.communities", 3, 5, set=RING), "network.graph: ring"),
        ({"set": RING | {"network.between_weight": 0.1}}, "network.graph: ring"),
        (
            along("network.between_weight", 0.1, 0.3, set={"network.between_degree": 0}),
            "network.between_degree: 0",
        ),
        (along("grid.min_givens", 5, 7, set=BOXES, tasks=["grid"]), "grid.protocol: boxes"),
        (
            along("language.mask_fraction", 0.1, 0.5, set=LEFT, tasks=["language"]),
            "language.objective: left_to_right",
        ),
        (along("training.momentum", 0, 0.9), "training.optimiser: adamw"),
        ({"set": {"training.settled_epochs": 3}}, "training.settled_loss: null"),
        (
            along("training.table_learning_rate", 0.01, 0.1, cells={"rope": {"scheme": "rope"}}),
            "scheme: rope, which has nothing to train",
        ),
        (
            along(
                "training.table_weight_decay", 0, 1, cells={"learned": LEARNED, "none": {"scheme": "none"}}
            ),
            "scheme: none, which has nothing to train; leave it out, or give none `at: []`",
        ),
        (along("model.heads", 1, 2, cells={"learned": LEARNED | {"block": "gau"}}), "block: gau"),
        (
            {"cells": {"learned": LEARNED | {"block": "gau", "set": {"model.expansion": 3}}}},
            "block: gau; leave it out",
        ),
        (along("training.learning_rate", 0.001, 0.01, set=UNTRAINED), "training.epochs: 0"),
        (along("configuration.dropout", 0.1, 0.5, set=UNTRAINED), "training.epochs: 0"),
        (
            {"axis": {"settings": {"a": {}, "b": {"training.optimiser": "sgd"}}}, "set": UNTRAINED},
            "training.epochs: 0",
        ),
        (along("recordings.drop_first", 0, 9, tasks=["recordings"]), "frames that were read before"),
    ],
)
def test_what_changes_nothing_is_refused(tmp_path: Path, values: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"given, but it changes nothing with {why}")):
        plan_study(write_study(tmp_path, {}, **values), "own")


@pytest.mark.parametrize(
    "values",
    [
        {"set": {"training.table_learning_rate": 0.1}, "cells": {"a": LEARNED, "b": {"scheme": "none"}}},
        along("training.momentum", 0, 0.9, set={"training.optimiser": "sgd"}),
        along("training.epochs", 0, 1, set={"training.learning_rate": 0.01}),
        {"axis": {"settings": {"usual": {}, "ring": RING}}, "set": {"network.communities": 5}},
    ],
)
def test_what_some_cells_depend_on_is_not(tmp_path: Path, values: dict[str, Any]) -> None:
    plan_study(write_study(tmp_path, {}, **values), "own")


@pytest.mark.parametrize(
    "other", [{"dropout": 0.5}, {"set": UNTRAINED | {"training.batch_size": 2}}, {"set": UNTRAINED}]
)
def test_untrained_cells_that_differ_in_training_are_one(tmp_path: Path, other: dict[str, Any]) -> None:
    cells = {"a": LEARNED | {"set": UNTRAINED}, "b": LEARNED | {"set": UNTRAINED} | other}
    cells["c"] = LEARNED | {"set": {"training.batch_size": 2}}
    with pytest.raises(ValueError, match="network-a and network-b are one cell under two names"):
        plan_study(write_study(tmp_path, {}, cells=cells), "own")


def test_files_of_puzzles_leave_sizes_of_generated_ones_idle() -> None:
    own = change_settings({"grid.puzzles.train": ["a.csv"], "grid.puzzles.validation": ["b.csv"]})
    idle = find_facts("grid").idle(own)
    assert set(idle.values()) == {"grid.puzzles"} and "data.puzzles_per_complexity" in idle
    assert not find_facts("grid").idle(change_settings({}))

"""What holds for the facts of every task."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from changed_params import Changes, change_settings

from stages.parameters import params
from stages.tasks.facts import Score, find_facts

TASKS = params.task_names()
MISTAKES: dict[str, tuple[Changes, str]] = {
    "grid": ({"grid.order": 7}, "^grid.order: 7 given, expected less than or equal to 6$"),
    "network": ({"network.graph": "star"}, "^network.graph: 'star' given, expected 'modular', 'ring', "),
    "recordings": ({"recordings.version": "1 --pre"}, "^recordings.version: '1 --pre' given"),
    "probe": ({"scales.smoke.probe.data.tokens": 1}, "^scales.smoke.probe.data.tokens: 1 given"),
    "identification": (
        {"scales.smoke.identification.data.vocabulary": "4"},
        "vocabulary: '4' given, expected",
    ),
    "even_tokens": (
        {"scales.smoke.even_tokens.data": {"tokens": 4, "words": 4}},
        "even_tokens.data.words: unk",
    ),
}


@pytest.mark.parametrize("task", TASKS)
def test_a_task_s_facts_are_complete(task: str) -> None:
    facts = find_facts(task)
    assert facts.name == task and facts.title and facts.references
    assert {*facts.rivals, *facts.maps} >= set(facts.rivals) and len(facts.rivals) in (0, 2)
    facts.check_parameters(change_settings({}))
    if not facts.made_by:  # positions are known without data
        assert facts.positions(change_settings({}), {}).n_tokens == 8


@pytest.mark.parametrize("task", TASKS)
def test_a_task_s_mistaken_parameters_are_one_line(task: str) -> None:
    changes, message = MISTAKES[task]
    with pytest.raises(ValueError, match=message) as error:
        find_facts(task).check_parameters(change_settings(changes))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"grid.oder": 4}, "^grid.oder: unknown key; remove it"),
        ({"network.noise": float("inf")}, "^network.noise: inf given"),
        ({"recordings.package": "--log=x"}, "^recordings.package: '--log=x' given"),
        ({"recordings.package": "a @ file:///b"}, "^recordings.package: 'a @ file:///b' given"),
        ({"scales.smoke.network.data": {"train_frames": 9}}, "network.data.test_frames: missing; add it"),
    ],
)
def test_mistaken_sections_and_sizes_are_named(changes: Changes, message: str) -> None:
    task = next(iter(changes)).removeprefix("scales.smoke.").split(".")[0]
    with pytest.raises(ValueError, match=message):
        find_facts(task).check_parameters(change_settings(changes))


def test_an_unknown_task_is_named() -> None:
    with pytest.raises(ValueError, match="^task 'maze' is not known; expected one of even_tokens, grid, "):
        find_facts("maze")


def test_missing_data_name_the_module_that_makes_them(tmp_path: Path) -> None:
    for task in TASKS:
        facts = find_facts(task)
        if not facts.made_by:
            assert facts.read_data(tmp_path) == {}
        else:
            with pytest.raises(
                ValueError, match=f"data/tasks/{task} not found; .*`python -m {facts.made_by}`"
            ):
                facts.read_data(tmp_path)


def test_alignment_is_judged_by_the_first_reference_that_there_is() -> None:
    network = find_facts("network")
    assert network.judging_reference({"graph_distance", "communities", "lattice_distance"}) == "communities"
    assert network.judging_reference({"graph_distance", "lattice_distance"}) == "lattice_distance"
    assert network.judging_reference(["mm_distance"]) == ""


@pytest.mark.parametrize(("higher", "order"), [(True, ["c", "a", "d", "b"]), (False, ["b", "a", "d", "c"])])
def test_best_first_follows_the_direction_and_keeps_ties_in_order(higher: bool, order: list[str]) -> None:
    table = pd.DataFrame({"name": ["a", "b", "c", "d"], "mean": [0.5, 0.1, 0.9, 0.5]})
    assert Score("test", "x", "", higher).best_first(table, "mean").name.tolist() == order


def test_rows_of_a_score_are_the_task_s_of_its_split_and_metric() -> None:
    usual: dict[str, Any] = {"task": "grid", "split": "validation", "metric": "accuracy"}
    others = [usual | change for change in ({"task": "probe"}, {"split": "test"}, {"metric": "loss"})]
    table = pd.DataFrame([*others, usual])
    assert find_facts("grid").score.rows(table, "grid").index.tolist() == [3]


def test_tokens_have_names() -> None:
    assert find_facts("probe").token_names({}, 2) == ["token 0", "token 1"]
    assert find_facts("probe").groups({"x": np.zeros(2)}) == {}

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
MISTAKES: list[tuple[str, Changes, str]] = [
    ("grid", {"grid.order": 7}, "^grid.order: 7 given, expected less than or equal to 6$"),
    ("grid", {"grid.oder": 4}, "^grid.oder: unknown key; remove it"),
    ("network", {"network.graph": "star"}, "^network.graph: 'star' given, expected 'modular', 'ring', "),
    ("network", {"network.noise": float("inf")}, "^network.noise: inf given"),
    ("network", {"scales.smoke.network.data": {"train_frames": 9}}, "network.data.test_frames: missing"),
    ("recordings", {"recordings.version": "1 --pre"}, "^recordings.version: '1 --pre' given"),
    ("recordings", {"recordings.package": "--log=x"}, "^recordings.package: '--log=x' given"),
    ("recordings", {"recordings.package": "a @ file:///b"}, "^recordings.package: 'a @ file:///b' given"),
    ("probe", {"scales.smoke.probe.data.tokens": 1}, "^scales.smoke.probe.data.tokens: 1 given"),
    ("identification", {"scales.smoke.identification.data.vocabulary": "4"}, "vocabulary: '4' given"),
    ("even_tokens", {"scales.smoke.even_tokens.data.words": 4}, "even_tokens.data.words: unknown key"),
]


@pytest.mark.parametrize("task", TASKS)
def test_a_task_s_facts_are_complete(task: str) -> None:
    facts = find_facts(task)
    assert facts.name == task and facts.title and facts.references
    assert len(facts.rivals) in (0, 2)
    better = {"accuracy": "higher is better", "mse": "lower is better"}
    assert facts.score.better == better[facts.score.metric]
    facts.check_parameters(change_settings({}))
    if not facts.made_by:  # tokens in a row, known without data
        positions = facts.positions(change_settings({}), {})
        assert positions.n_tokens == 8 and positions.coordinates is not None
        assert positions.coordinates[:, 0].tolist() == [*range(8)]
        assert positions.distances["index_distance"][1].tolist() == [1, 0, 1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(("task", "changes", "message"), MISTAKES)
def test_a_task_s_mistaken_parameters_are_one_line(task: str, changes: Changes, message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        find_facts(task).check_parameters(change_settings(changes))
    assert "\n" not in str(error.value)


def test_every_task_has_a_mistake_above() -> None:
    assert sorted({task for task, _, _ in MISTAKES}) == TASKS


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


@pytest.mark.parametrize(("higher", "order"), [(True, [3, 2, 1]), (False, [1, 2, 3])])
def test_best_first_follows_the_direction_and_keeps_ties_in_order(higher: bool, order: list[int]) -> None:
    table = pd.DataFrame({"mean": 50 * [2, 1, 3], "name": range(150)})
    ranked = Score("test", "x", "", higher).best_first(table, "mean")
    assert ranked["mean"].drop_duplicates().tolist() == order
    assert all(ties.name.is_monotonic_increasing for _, ties in ranked.groupby("mean"))


def test_rows_of_a_score_are_the_task_s_of_its_split_and_metric() -> None:
    usual: dict[str, Any] = {"task": "grid", "split": "validation", "metric": "accuracy"}
    others = [usual | change for change in ({"task": "probe"}, {"split": "test"}, {"metric": "loss"})]
    table = pd.DataFrame([*others, usual])
    assert find_facts("grid").score.rows(table, "grid").index.tolist() == [3]


def test_tokens_without_groups_stand_as_they_are() -> None:
    probe = find_facts("probe")
    assert probe.token_names({}, 2) == ["token 0", "token 1"] and probe.groups({"x": np.zeros(2)}) == {}
    assert probe.arrange({}, 3) == ([0, 1, 2], ["", "", ""])


def test_tokens_stand_by_group() -> None:
    tokens, groups = find_facts("network").arrange({"communities": np.array([1, 0, 1, 0])}, 4)
    assert tokens == [1, 3, 0, 2] and groups == ["community 0"] * 2 + ["community 1"] * 2
    tokens, groups = find_facts("grid").arrange({"validation_puzzles": np.zeros((1, 16))}, 16)
    assert tokens == list(range(16)) and groups[3:5] == ["row 0", "row 1"]
    networks = np.array(["Visual", "Visual", "Limbic", "", "Default"])
    data = {"yeo7": networks, "hemisphere": np.array(["R", "L", "L", "L", "R"])}
    tokens, groups = find_facts("recordings").arrange(data, 5)
    assert tokens == [1, 0, 2, 4, 3]
    assert groups == ["Visual", "Visual", "Limbic", "Default", "none"]


def test_guessing_solves_one_puzzle_in_as_many_as_there_are_symbols() -> None:
    settings = change_settings({})
    assert find_facts("grid").chance(settings) == 0.25 and find_facts("network").chance(settings) is None

import numpy as np
import pytest
from made_up import ROOT

from stages.parameters import params
from stages.tasks.facts import find_facts


def test_tokens_without_groups_stand_as_they_are() -> None:
    assert find_facts("probe").arrange({}, 3) == ([0, 1, 2], ["", "", ""])


def test_nodes_stand_by_community() -> None:
    tokens, groups = find_facts("network").arrange({"communities": np.array([1, 0, 1, 0])}, 4)
    assert tokens == [1, 3, 0, 2] and groups == ["community 0"] * 2 + ["community 1"] * 2


def test_cells_stand_row_by_row() -> None:
    tokens, groups = find_facts("grid").arrange({"validation_puzzles": np.zeros((1, 16))}, 16)
    assert tokens == list(range(16)) and groups[3:5] == ["row 0", "row 1"]


def test_regions_stand_by_network_then_hemisphere() -> None:
    networks = np.array(["Visual", "Visual", "Limbic", "", "Default"])
    data = {"yeo7": networks, "hemisphere": np.array(["R", "L", "L", "L", "R"])}
    tokens, groups = find_facts("recordings").arrange(data, 5)
    assert tokens == [1, 0, 2, 4, 3]
    assert groups == ["Visual", "Visual", "Limbic", "Default", "none"]


def test_guessing_solves_one_puzzle_in_as_many_as_there_are_symbols() -> None:
    settings = params.load(ROOT / "params.yaml")
    assert find_facts("grid").chance(settings) == 0.25 and find_facts("network").chance(settings) is None


@pytest.mark.parametrize("task", params.task_names())
def test_direction_in_words_is_that_of_the_metric(task: str) -> None:
    score = find_facts(task).score
    assert score.better == {"accuracy": "higher is better", "mse": "lower is better"}[score.metric]

"""The facts of every task keep these rules."""

from pathlib import Path

import numpy as np
import pytest
from changed_params import Changes, change_settings

from stages.parameters import params
from stages.tasks.facts import find_facts

TASKS = params.task_names()
MISTAKES: list[tuple[str, Changes, str]] = [
    ("grid", {"grid.order": 7}, "^grid.order: 7 given, expected less than or equal to 6"),
    ("grid", {"grid.protocol": "row"}, "^grid.protocol: 'row' given, expected 'published', 'even', 'rows'"),
    ("network", {"network.graph": "star"}, "^network.graph: 'star' given, expected 'modular', 'ring', "),
    ("network", {"network.noise": float("inf")}, "^network.noise: inf given"),
    ("recordings", {"recordings.version": "1 --pre"}, "^recordings.version: '1 --pre' given"),
    ("recordings", {"recordings.package": "a @ file:///b"}, "^recordings.package: 'a @ file:///b' given"),
    ("probe", {"scales.smoke.probe.data.tokens": 1}, "^scales.smoke.probe.data.tokens: 1 given"),
    ("even_tokens", {"scales.smoke.even_tokens.data.words": 4}, "even_tokens.data.words: unknown key"),
    ("running_text", {"running_text.test_books": ["Acts"]}, "^running_text: .* not Acts in both"),
    ("running_text", {"scales.smoke.running_text.data.tokens": 3}, "running_text.data.tokens: 3 given"),
    ("language", {"language.objective": "both"}, "^language.objective: 'both' given, expected 'blanks' or"),
    ("language", {"language.test_books": ["Acts"]}, "^language: .* not Acts in both"),
    ("language", {"scales.smoke.language.data.tokens": 7}, "language.data: .* at least as many tokens as"),
]


@pytest.mark.parametrize("task", TASKS)
def test_a_task_s_facts_are_complete(task: str) -> None:
    facts = find_facts(task)
    assert facts.name == task and facts.title and facts.references
    better = {"accuracy": "higher is better", "mse": "lower is better", "loss": "lower is better"}
    assert facts.score.better == better[facts.score.metric]
    facts.check_parameters(change_settings({}))
    if not facts.made_by:  # tokens in a row, known without data
        positions = facts.positions(change_settings({}), {})
        assert positions.n_tokens == 8 and positions.coordinates is not None
        assert positions.coordinates[:, 0].tolist() == [*range(8)]
        assert positions.distances["index_distance"][1].tolist() == [1, 0, 1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(("task", "changes", "message"), MISTAKES)
def test_a_task_s_mistaken_parameters_are_one_line(task: str, changes: Changes, message: str) -> None:
    with pytest.raises(ValueError, match=rf"{message}[^\n]*$"):
        find_facts(task).check_parameters(change_settings(changes))


def test_an_unknown_task_or_missing_data_are_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="^task 'maze' is not known; expected one of even_tokens, grid, "):
        find_facts("maze")
    for task in TASKS:
        facts = find_facts(task)
        if not facts.made_by:
            assert facts.read_data(tmp_path) == {}
        else:
            with pytest.raises(
                ValueError, match=f"data/tasks/{task} not found; .*`python -m stages data {task}`"
            ):
                facts.read_data(tmp_path)


def test_alignment_is_judged_by_the_first_reference_that_there_is() -> None:
    network = find_facts("network")
    assert network.judging_reference({"graph_distance", "communities", "lattice_distance"}) == "communities"
    assert network.judging_reference({"graph_distance", "lattice_distance"}) == "lattice_distance"
    assert network.judging_reference(["mm_distance"]) == ""


def test_tokens_stand_by_group_if_they_have_any() -> None:
    probe = find_facts("probe")
    assert probe.token_names({}, 2) == ["token 0", "token 1"] and probe.groups({"x": np.zeros(2)}) == {}
    assert probe.arrange({}, 3) == ([0, 1, 2], ["", "", ""])
    tokens, groups = find_facts("network").arrange({"communities": np.array([1, 0, 1, 0])}, 4)
    assert tokens == [1, 3, 0, 2] and groups == ["community 0"] * 2 + ["community 1"] * 2
    tokens, groups = find_facts("grid").arrange({"validation_puzzles": np.zeros((1, 16))}, 16)
    assert tokens == list(range(16)) and groups[3:5] == ["row 0", "row 1"]
    networks = np.array(["Visual", "Visual", "Limbic", "", "Default"])
    data = {"yeo7": networks, "hemisphere": np.array(["R", "L", "L", "L", "R"])}
    tokens, groups = find_facts("recordings").arrange(data, 5)
    assert tokens == [1, 0, 2, 4, 3]
    assert groups == ["Visual", "Visual", "Limbic", "Default", "none"]

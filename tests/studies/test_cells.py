from pathlib import Path
from typing import Any

import pytest
from changed_params import VALUES
from small_studies import SIGMA, make_project, write_study

from stages.studies.cells import (
    change,
    configuration_of,
    find_cell,
    find_floors,
    list_scored,
    multiply,
    seeds_of,
    settings_for,
    settings_of,
)
from stages.studies.expand import expand

TRAINING = VALUES["scales"]["smoke"]["network"]["training"]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    given = {
        "learned": {"scheme": "learned", "set": {"training.epochs": 5, "configuration.mask": "causal"}},
        "donor": {"scheme": "learned", "init_std": 1.0, "trained": False, "first_seed": 3},
    }
    make_project(tmp_path, cells=given, axis=SIGMA, focus=True)
    expand(tmp_path, "own")
    return tmp_path


def test_a_cell_has_its_parameters_configuration_and_seeds(root: Path) -> None:
    cell = find_cell(root, "own", "network-learned-0_2")
    settings = settings_of(root, cell)
    assert settings.training("network").epochs == 5
    configuration = configuration_of(settings, cell)
    assert configuration.settings == {"init_std": 0.2} and configuration.architecture.mask == "causal"
    assert seeds_of(settings, cell) == [0, 1]
    assert seeds_of(settings, find_cell(root, "own", "network-donor")) == [3, 4]
    focus = configuration_of(settings, find_cell(root, "own", "network-focus"))
    assert (focus.path, focus.scheme) == ("pe", "learned")


def test_what_is_trained_is_scored_and_so_are_floors(root: Path) -> None:
    trained = ["network-focus", "network-learned-0_2", "network-learned-2"]
    assert sorted(list_scored(root, "own")) == sorted([*trained, "floors-network"])
    assert find_floors(root, "own", "floors-network").at == [""]


def test_unknown_keys_are_named(root: Path) -> None:
    with pytest.raises(ValueError, match="study 'oown' has no cells.yaml; expected own"):
        find_cell(root, "oown", "x")
    with pytest.raises(ValueError, match="study own has no cell 'x'; expected one of .*network-donor"):
        find_cell(root, "own", "x")
    with pytest.raises(ValueError, match="study own has no floors 'x'; expected one of floors-network"):
        find_floors(root, "own", "x")


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("training.epochs", {"times": 3}, 6),
        ("training.learning_rate", {"times": 0.5}, 0.5 * TRAINING["learning_rate"]),
        ("model.width", {"times": 0.5}, 8),
        ("model.width", {"times": 0.0625}, 1),
    ],
)
def test_times_multiplies_the_usual_value_of_scale_and_task(path: str, value: Any, expected: float) -> None:
    changed = change(VALUES, "network", None, {path: value})
    section, key = path.split(".")
    assert changed["scales"]["smoke"]["network"][section][key] == expected


@pytest.mark.parametrize(("times", "product"), [(0.07, 7), (0.29, 29), (1.1, 110)])
def test_a_product_that_is_whole_but_for_rounding_is_whole(times: float, product: int) -> None:
    found = multiply(100, {"times": times}, "training.epochs")
    assert (found, type(found)) == (product, int)


def test_of_names_another_parameter_by_its_usual_value() -> None:
    changes = {
        "training.learning_rate": 7.0,
        "training.table_learning_rate": {"times": 10, "of": "training.learning_rate"},
        "network.nodes": 9,
    }
    changed = change(VALUES, "network", "paper", changes)
    usual = VALUES["scales"]["paper"]["usual"]["training"]["learning_rate"]
    assert changed["scales"]["paper"]["network"]["training"]["table_learning_rate"] == 10 * usual
    assert changed["network"]["nodes"] == 9 and changed["scale"] == "paper"
    assert VALUES["network"]["nodes"] != 9  # what was given stays


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"training.batch_size": {"times": 1.5 + 1e-6}}, "64 is 96.0001, expected a whole number"),
        ({"training.epochs": {"times": 0.3}}, r"^set.training.epochs: 0.3 times 2 is 0.6, expected a whole"),
        (
            {"training.epochs": {"times": 2, "off": 1}},
            "^set.training.epochs: .* expected a value or {times",
        ),
        (
            {"network.graph": {"times": 2}},
            "^set.network.graph: 'modular' cannot be multiplied; name",
        ),
        ({"netwrok.nodes": 3}, "^set.netwrok.nodes: params.yaml has no netwrok; correct the name"),
        (
            {"training.momentum": {"times": 2}},
            "^set.training.momentum: params.yaml has no .*momentum;",
        ),
    ],
)
def test_mistaken_changes_are_named(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        change(VALUES, "network", None, changes)


def test_a_mistake_of_the_file_itself_is_named_as_it_stands_there(root: Path) -> None:
    write_study(root, {"scales.smoke.grid.modle": {}})
    with pytest.raises(ValueError, match=r"^scales\.smoke\.grid\.modle: unknown key"):
        settings_for(root, "network", None, {})

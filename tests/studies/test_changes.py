"""Parameters as a study changes them."""

from typing import Any

import pytest
from changed_params import VALUES

from stages.studies.changes import change, multiply, of_data

TRAINING = VALUES["scales"]["smoke"]["network"]["training"]


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


def test_what_changes_training_alone_asks_for_no_data() -> None:
    of_training = {"device": "cpu", "compute.threads": 2, "pe.init_std": 1.0, "model.heads": 2}
    of_training |= {"training.epochs": 3, "configuration.mask": "causal"}
    asked = {"network.nodes": 9, "data.trajectories": 2, "seed": 1}
    assert of_data(of_training | asked) == asked

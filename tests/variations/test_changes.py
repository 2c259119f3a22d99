from pathlib import Path
from typing import Any

import pytest
import yaml

from stages.parameters import params
from stages.variations.changes import changed, files_named, from_here

ROOT = Path(__file__).parents[2]
VALUES: dict[str, Any] = yaml.safe_load((ROOT / "params.yaml").read_text())


def with_change(**change: Any) -> dict[str, Any]:
    """params.yaml's values at scale smoke with one variation of the grid, `it`."""
    variations = VALUES["variations"] | {
        "grid": {"it": {key.replace("__", "."): change[key] for key in change}}
    }
    return VALUES | {"scale": "smoke", "variations": variations}


def test_no_change_leaves_all_but_what_is_trained() -> None:
    result = changed(with_change(), "grid", "it")
    apart = {"pe", "sweep", "variations"}
    assert {key: result[key] for key in result if key not in apart} == {
        key: value for key, value in with_change().items() if key not in apart
    }


def test_all_compared_are_trained_once_and_nothing_else() -> None:
    result = changed(with_change(), "grid", "it")
    assert [result["pe"], *result["sweep"].pop("grid").values()] == list(
        VALUES["variations"]["compared"].values()
    )
    assert not result["sweep"]


def test_a_change_is_of_the_scale_and_task_at_hand() -> None:
    result = changed(with_change(model__heads=2), "grid", "it")
    assert result["scales"]["smoke"]["grid"]["model"]["heads"] == 2
    assert result["scales"]["small"] == VALUES["scales"]["small"]
    assert result["scales"]["smoke"]["network"] == VALUES["scales"]["smoke"]["network"]


def test_a_change_names_other_parameters_in_full() -> None:
    assert changed(with_change(grid__order=5), "grid", "it")["grid"] == VALUES["grid"] | {"order": 5}


def test_a_change_of_configurations_is_of_each() -> None:
    result = changed(with_change(configuration__where="input"), "grid", "it")
    assert {one["where"] for one in (result["pe"], *result["sweep"]["grid"].values())} == {"input"}


def test_factors_multiply_the_usual_value_and_keep_its_kind() -> None:
    usual = VALUES["scales"]["smoke"]["grid"]
    half = changed(with_change(model__width={"times": 0.5}), "grid", "it")["scales"]["smoke"]["grid"]
    assert half["model"]["width"] == usual["model"]["width"] / 2 and isinstance(half["model"]["width"], int)
    # of what it was, also where that is changed too
    both: dict[str, Any] = {"training__learning_rate": 5.0}
    both["training__table_learning_rate"] = {"times": 10, "of": "training.learning_rate"}
    rates = changed(with_change(**both), "grid", "it")["scales"]["smoke"]["grid"]["training"]
    assert rates["table_learning_rate"] == 10 * usual["training"]["learning_rate"]


def test_the_values_given_are_left_alone() -> None:
    values = with_change(model__heads=2, configuration__where="input")
    before = yaml.safe_dump(values)
    changed(values, "grid", "it")
    assert yaml.safe_dump(values) == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"modle__heads": 2}, "variations.grid.it.modle.heads: params.yaml has no modle; correct"),
        ({"model__width": {"times": 0.3}}, "0.3 times 16 is 4.8, expected a whole number"),
        ({"model__width": {"time": 2}}, "expected a value or {times: 2"),
        ({"training__compile": {"times": 2}}, "False cannot be multiplied"),
        (
            {"training__table_weight_decay": {"times": 2}},
            "has no scales.smoke.grid.training.table_weight_decay",
        ),
    ],
)
def test_mistakes_are_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        changed(with_change(**change), "grid", "it")


def test_an_unknown_variation_is_named() -> None:
    with pytest.raises(ValueError, match="variations.grid: 'other' is not known; expected one of it"):
        changed(with_change(), "grid", "other")


def test_a_researcher_s_own_files_are_named() -> None:
    values = {"network": {"adjacency": None}, "grid": {"puzzles": {"train": ["a.csv"], "validation": []}}}
    assert files_named(values) == ["a.csv"]
    assert files_named(values | {"network": {"adjacency": "b.csv"}}) == ["a.csv", "b.csv"]


def test_files_are_found_from_any_folder(tmp_path: Path) -> None:
    values = VALUES | {"network": VALUES["network"] | {"adjacency": "mine.csv"}}
    values["grid"] = VALUES["grid"] | {"puzzles": {"train": ["a.csv"], "validation": ["/b.csv"]}}
    result = from_here(values, tmp_path)
    assert result["network"]["adjacency"] == str(tmp_path / "mine.csv")
    assert result["grid"]["puzzles"] == {"train": [str(tmp_path / "a.csv")], "validation": ["/b.csv"]}


@pytest.mark.parametrize("scale", VALUES["scales"])
@pytest.mark.parametrize("task", ["grid", "network", "recordings"])
def test_every_variation_of_the_project_is_valid_at_every_scale(scale: str, task: str) -> None:
    values = VALUES | {"scale": scale}
    settings = [
        params.check(params.Params, changed(values, task, name), "") for name in values["variations"][task]
    ]
    if scale != "smoke":  # whose model has one block whatever is varied
        distinct = {repr((one.pe, one.grid, one.network, one.recordings, one.sizes)) for one in settings}
        assert len(distinct) == len(settings) > 1

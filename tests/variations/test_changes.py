from pathlib import Path
from typing import Any

import pytest
import yaml
from changed_params import ROOT, VALUES, write_yaml

from stages.parameters import params
from stages.tasks.facts import find_facts
from stages.variations import changes
from stages.variations.changes import Variations, apply_variation, load_variations, with_absolute_files

PROJECT = load_variations(ROOT)
USUAL = VALUES["scales"]["smoke"]["usual"] | {"data": VALUES["scales"]["smoke"]["grid"]["data"]}


def apply(change: dict[str, Any], name: str = "it") -> dict[str, Any]:
    """The values of params.yaml at scale smoke under one variation of the grid, `it`."""
    return apply_variation(VALUES, Variations(PROJECT.compared, {"grid": {"it": change}}), "grid", name)


def test_without_a_change_only_what_is_trained_differs() -> None:
    result = apply({})
    apart = {"pe", "tasks", "sweep", "scales"}
    assert {key: result[key] for key in result if key not in apart} == {
        key: value for key, value in VALUES.items() if key not in apart
    }
    first, *others = PROJECT.compared.values()
    assert result["pe"] == first and list(result["sweep"]["compared"].values()) == others
    assert result["tasks"] == {"grid": ["compared"]} and list(result["sweep"]) == ["compared"]
    before, after = (params.from_values(values) for values in (VALUES, result))
    assert (after.model("grid"), after.training("grid")) == (before.model("grid"), before.training("grid"))


def test_a_change_is_of_the_scale_and_task_or_names_a_parameter_in_full() -> None:
    result = apply({"model.heads": 2, "grid.order": 5})
    assert result["scales"] == {"smoke": {"grid": USUAL | {"model": USUAL["model"] | {"heads": 2}}}}
    assert result["grid"] == VALUES["grid"] | {"order": 5}


def test_a_variation_may_compare_what_others_do_not() -> None:
    own = {"none": {"scheme": "none"}, "rope": {"scheme": "rope"}}
    result = apply({"compared": own, "model.heads": 2, "configuration.where": "input"})
    assert result["pe"] == {"scheme": "none", "where": "input"}
    assert result["sweep"] == {"compared": {"rope": {"scheme": "rope", "where": "input"}}}
    assert own["rope"] == {"scheme": "rope"} and "compared" not in result
    with pytest.raises(ValueError, match=r"^variations\.grid\.it\.compared: 3 given"):
        apply({"compared": 3})


def test_a_change_of_configurations_is_of_each() -> None:
    before = yaml.safe_dump([VALUES, PROJECT.compared])
    result = apply({"configuration.where": "input"})
    settings = [result["pe"], *result["sweep"]["compared"].values()]
    assert {configuration["where"] for configuration in settings} == {"input"}
    assert yaml.safe_dump([VALUES, PROJECT.compared]) == before


def test_factors_multiply_the_usual_value_and_keep_its_kind() -> None:
    width = apply({"model.width": {"times": 0.5}})["scales"]["smoke"]["grid"]["model"]["width"]
    assert width == USUAL["model"]["width"] / 2 and isinstance(width, int)
    # of the usual value, also where that is changed too
    both = {
        "training.learning_rate": 5.0,
        "training.table_learning_rate": {"times": 10, "of": "training.learning_rate"},
    }
    rates = apply(both)["scales"]["smoke"]["grid"]["training"]
    assert rates["table_learning_rate"] == 10 * USUAL["training"]["learning_rate"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"modle.heads": 2}, "variations.grid.it.modle.heads: params.yaml has no modle; correct the name"),
        ({"model.width": {"times": 0.3}}, "0.3 times 16 is 4.8, expected a whole number"),
        ({"model.width": {"time": 2}}, "expected a value or {times: 2"),
        ({"grid.puzzles": {"times": 2}}, "cannot be multiplied; name a number with `of`"),
        (
            {"training.table_weight_decay": {"times": 2}},
            "has no scales.smoke.grid.training.table_weight_decay",
        ),
    ],
)
def test_mistaken_changes_are_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        apply(change)


def test_an_unknown_variation_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="variations.grid: 'other' is not known; expected one of it"):
        apply({}, "other")
    write_yaml(tmp_path / changes.FILE, {"variations": {"grid": {}}})
    with pytest.raises(ValueError, match="params.yaml: no variations.compared; add it"):
        load_variations(tmp_path)


def test_a_researcher_s_files_are_found_from_any_folder(tmp_path: Path) -> None:
    for name in ("mine.csv", "a.csv"):
        (tmp_path / name).touch()
    values = {
        "network": {"adjacency": "mine.csv"},
        "grid": {"puzzles": {"train": ["a.csv"], "other": "b.csv"}},
    }
    result, files = with_absolute_files(values, tmp_path)
    assert files == [tmp_path / "mine.csv", tmp_path / "a.csv"]
    assert result["network"]["adjacency"] == str(files[0])
    assert result["grid"]["puzzles"] == {"train": [str(files[1])], "other": "b.csv"}


@pytest.mark.parametrize("scale", VALUES["scales"])
@pytest.mark.parametrize("task", PROJECT.changes)
def test_every_variation_of_the_project_is_valid_at_every_scale(scale: str, task: str) -> None:
    described = set()
    for name in PROJECT.changes[task]:
        values = apply_variation(VALUES | {"scale": scale}, PROJECT, task, name)
        settings = params.from_values(values)
        find_facts(task).check_parameters(settings)
        compared, sizes = [values["pe"], values["sweep"]], [settings.model(task), settings.training(task)]
        described.add(repr((compared, settings.sections, sizes)))
    # the model of scale smoke has one block whatever is varied
    assert scale == "smoke" or len(described) == len(PROJECT.changes[task]) > 1

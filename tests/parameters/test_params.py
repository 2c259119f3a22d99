import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from stages.parameters.params import Params, check, load

ROOT = Path(__file__).parents[2]
VALUES = yaml.safe_load((ROOT / "params.yaml").read_text())


def set_to(path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(values: dict[str, Any]) -> None:
        *parents, last = path.split(".")
        for parent in parents:
            values = values[parent]
        values[last] = value

    return change


def test_the_project_s_own_parameters_are_valid() -> None:
    params = load(ROOT / "params.yaml")
    assert params.configurations("grid")[0] == "focus"
    assert params.sizes is params.scales[params.scale]
    assert params.configuration("grid", "focus").path == "pe"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (set_to("typo", 1), "^typo: unknown key"),
        (set_to("grid.oder", 4), r"^grid\.oder: unknown key"),
        (set_to("grid.order", 7), r"^grid\.order: 7 given, expected less than or equal to 6"),
        (set_to("grid.order", "4"), r"^grid\.order: '4' given, expected a valid integer"),
        (set_to("network.noise", float("nan")), r"^network\.noise: nan given"),
        (set_to("network.noise", -1), r"^network\.noise: -1 given, expected greater than or equal to 0"),
        (set_to("network.graph", "star"), r"^network\.graph: 'star' given, expected 'modular', "),
        (set_to("recordings.package", "--log=x"), r"^recordings\.package: '--log=x' given"),
        (set_to("recordings.package", "a @ file:///b"), r"^recordings\.package: 'a @ file:///b' given"),
        (set_to("recordings.version", "1 --pre"), r"^recordings\.version: '1 --pre' given"),
        (set_to("device", "tpu"), "^device: 'tpu' given, expected 'auto', 'cpu' or 'cuda'"),
        (
            set_to("compute.precision", "fp64"),
            r"^compute\.precision: 'fp64' given, expected 'fp32', 'tf32' or",
        ),
        (
            set_to("scales.small.grid.training.compile", "yes"),
            "compile: 'yes' given, expected a valid boolean",
        ),
        (set_to("scales.small.grid.model.heads", 3), r"model: .* expected a width that is a multiple"),
        (set_to("scales.small.grid.training.learning_rate", "1e-3"), "learning_rate: '1e-3' given"),
        (lambda values: values.pop("seed"), "^seed: missing"),
    ],
)
def test_bad_values_are_named_in_one_line(change: Callable[[dict[str, Any]], None], message: str) -> None:
    values = copy.deepcopy(VALUES)
    change(values)
    with pytest.raises(ValueError, match=message) as error:
        check(Params, values, "")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("scale: [", "not valid YAML"),
        ("", "None given, expected an object"),
        ("a: &a [*a]", "not valid YAML: .*recursion"),
        ("a: &a xxx\nb: &b [*a, *a]\nc: [*b, *b]\n", "^seed: missing"),  # aliases are fine
        (f"a: &a {10**4 * 'x'}\nb: [{100 * '*a, '}]\n", "stand for 10.* values"),
        ("a: " + "[" * 5000, "not valid YAML: .*recursion"),
        ("a: !!timestamp x", "not valid YAML"),
        ("2020-01-01: 1", "not valid YAML: keys must be str"),
        ("a: !!python/object/apply:os.mkdir [x]", "not valid YAML: could not determine a constructor"),
    ],
)
def test_files_that_are_no_parameters(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "params.yaml").write_text(text)
    with pytest.raises(ValueError, match=message):
        load(tmp_path / "params.yaml")


def test_unknown_scale_and_configuration(tmp_path: Path) -> None:
    (tmp_path / "params.yaml").write_text(yaml.safe_dump(VALUES | {"scale": "huge"}))
    with pytest.raises(ValueError, match="scale: 'huge' is not known; expected one of"):
        load(tmp_path / "params.yaml")
    with pytest.raises(ValueError, match="configuration 'x' of grid is not known; expected one of focus, "):
        load(ROOT / "params.yaml").configuration("grid", "x")
    with pytest.raises(ValueError, match="not found; run from the project's root"):
        load(tmp_path / "elsewhere.yaml")


def test_hidden_units_of_a_block_without_an_mlp_are_refused() -> None:
    values = VALUES | {"pe": {"scheme": "none", "block": "gau", "extra_hidden": 8}}
    with pytest.raises(ValueError, match="^pe: .*expected extra_hidden with block post_norm"):
        check(Params, values, "").configuration("grid", "focus")

from pathlib import Path
from typing import Any

import pytest
from changed_params import ROOT, VALUES, Changes, change_settings, write_params

from stages.encodings.interface import settings_of
from stages.encodings.learned import Encoding
from stages.parameters import params
from stages.parameters.params import load
from stages.parameters.scales import Model
from stages.parameters.sigmas import DEFAULT_INIT_STD, learned_sigmas

TASKS = ["even_tokens", "grid", "identification", "network", "probe", "recordings"]


def test_the_project_s_parameters_are_valid_for_every_task() -> None:
    settings = load(ROOT / "params.yaml")
    assert sorted(settings.tasks) == params.task_names() == TASKS
    for task in TASKS:
        assert settings.configurations(task)[0] == "focus"
        assert settings.model(task).width and settings.training(task).epochs
    assert settings.configuration("grid", "focus").path == "pe"
    assert settings.configuration("grid", "rope").path == "sweep.grid.rope"


def test_a_task_s_sizes_override_the_usual_ones() -> None:
    changes: Changes = {
        "scales.smoke.usual.model": {"width": 8, "blocks": 2, "heads": 2, "expansion": 3},
        "scales.smoke.grid.model": {"width": 10, "heads": 5},
        "scales.smoke.usual.training.epochs": 7,
        "scales.smoke.grid.training": {"epochs": 9},
    }
    settings = change_settings(changes)
    assert settings.model("grid") == Model(width=10, blocks=2, heads=5, expansion=3)
    assert (settings.training("grid").epochs, settings.training("network").epochs) == (9, 7)
    assert (
        settings.training("grid").batch_size == VALUES["scales"]["smoke"]["usual"]["training"]["batch_size"]
    )
    # no sizes at all: the usual ones
    without = change_settings(changes | {"scales.smoke": {"usual": VALUES["scales"]["smoke"]["usual"]}})
    assert without.model("grid").width == 16 and without.sizes("grid").data == {}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"typo": 1}, "^typo: unknown key; remove it or correct its spelling$"),
        ({"device": "tpu"}, "^device: 'tpu' given, expected 'auto', 'cpu' or 'cuda'$"),
        (
            {"compute.reproducible": "here"},
            "^compute.reproducible: 'here' given, expected 'machine' or 'anywhere'$",
        ),
        ({"scales.smoke.grid.modle": {}}, r"^scales\.smoke\.grid\.modle: unknown key"),
        ({"scale": "huge"}, r"^scale: 'huge' is not known; expected one of \['paper', 'small', 'smoke'\]$"),
        ({"tasks.grid": ["space", "gird"]}, r"^tasks\.grid: no group 'gird' in sweep; expected \['space', "),
        ({"tasks.maze": []}, r"^tasks\.maze: no folder of stages/tasks; expected one of \['even_tokens', "),
        (
            {"scales.paper.maze": {}},
            r"^scales\.paper\.maze: not known; expected one of usual, grid, network,",
        ),
        ({"sweep.words.focus": {}}, r"^sweep\.words\.focus: the name is taken by .* `pe`; rename it$"),
        ({"sweep.grid.none": {}}, r"^tasks\.grid: its groups .* name 'none' twice; rename one in sweep$"),
        ({"tasks.grid": ["grid", "grid"]}, r"^tasks\.grid: its groups .* name 'rope' twice"),
    ],
)
def test_a_mistake_is_named_in_one_line(changes: Changes, message: str) -> None:
    with pytest.raises(ValueError, match=message) as error:
        change_settings(changes)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"model": {"heads": 3}},
            r"^scales\.smoke\.grid\.model: .* a width that is a multiple of its 3 heads",
        ),
        ({"model": {"haeds": 3}}, r"^scales\.smoke\.grid\.model\.haeds: unknown key"),
        ({"training": {"compile": "yes"}}, r"training\.compile: 'yes' given, expected a valid boolean"),
        (
            {"training": {"precision": "fp64"}},
            r"training\.precision: 'fp64' given, expected 'fp32', 'tf32' or 'bf16'$",
        ),
        ({"training": {"learning_rate": "1e-3"}}, r"training\.learning_rate: '1e-3' given"),
    ],
)
def test_mistaken_sizes_are_named_when_they_are_used(change: dict[str, Any], message: str) -> None:
    settings = change_settings({"scales.smoke.grid": change})
    with pytest.raises(ValueError, match=message):
        settings.model("grid")
        settings.training("grid")


def test_bf16_is_refused_where_it_would_take_a_hundred_times_as_long() -> None:
    sizes = {"scales.smoke.grid": {"training": {"precision": "bf16"}}}
    assert change_settings(sizes).training("grid").precision == "bf16"
    settings = change_settings(sizes | {"compute.reproducible": "anywhere"})
    assert settings.training("network").precision == "fp32"
    with pytest.raises(ValueError, match=r"^scales\.smoke\.grid\.training\.precision: bf16 given .* fp32$"):
        settings.training("grid")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("scale: [", "not valid YAML"),
        ("", "'None' given, expected sections"),
        ("a: &a [*a]", "not valid YAML: .*recursion"),
        ("a: &a xxx\nb: &b [*a, *a]\nc: [*b, *b]\n", "^a: unknown key"),  # aliases are fine
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


def test_a_missing_file_section_or_configuration_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="params.yaml not found; run from the project's root"):
        load(tmp_path / "params.yaml")
    write_params(tmp_path, {})
    with pytest.raises(ValueError, match="configuration 'x' of grid is not known; expected one of focus, "):
        load(tmp_path / "params.yaml").configuration("grid", "x")
    with pytest.raises(ValueError, match="^probe: missing; add it"):
        load(tmp_path / "params.yaml").section("probe", Model)


def test_hidden_units_of_a_block_without_an_mlp_are_refused() -> None:
    settings = change_settings({"pe": {"scheme": "none", "block": "gau", "extra_hidden": 8}})
    with pytest.raises(ValueError, match="^pe: .*expected extra_hidden with block post_norm"):
        settings.configuration("grid", "focus")


def test_sigmas_are_those_of_tables_in_the_usual_model() -> None:
    sweep = {
        "a": {"scheme": "learned", "init_std": 2},
        "b": {"scheme": "learned"},
        "c": {"scheme": "learned", "normaliser": "l2"},
        "d": {"scheme": "none"},
    }
    settings = change_settings({"sweep.grid": sweep, "tasks.grid": ["grid"]})
    assert learned_sigmas(settings, "grid") == {"focus": 0.1, "a": 2.0, "b": DEFAULT_INIT_STD}
    assert settings_of(Encoding)["init_std"].default == DEFAULT_INIT_STD

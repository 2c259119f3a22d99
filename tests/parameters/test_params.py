from pathlib import Path

import pytest
from changed_params import ROOT, VALUES, Changes, change_settings, write_params
from dvc.utils.hydra import apply_overrides

from stages.core.settings.configuration import Architecture, read_configuration
from stages.core.settings.sizes import Model
from stages.parameters import params
from stages.parameters.params import load
from stages.tasks.facts import find_facts

GRID = "scales.smoke.grid"
TASKS = [
    "even_tokens",
    "grid",
    "identification",
    "language",
    "network",
    "probe",
    "recordings",
    "running_text",
]


def test_the_project_s_parameters_are_valid_for_every_task() -> None:
    settings = load(ROOT / "params.yaml")
    assert [name for name in params.task_names() if name in TASKS] == TASKS  # a user may have more
    for task in TASKS:
        find_facts(task).check_parameters(settings)
        assert settings.model(task).width and settings.training(task).epochs


def test_what_dvc_sets_is_the_one_line_that_changes(tmp_path: Path) -> None:
    text = (ROOT / "params.yaml").read_text()
    (tmp_path / "params.yaml").write_text(text)
    for sigma in (1, 0.01):
        apply_overrides(str(tmp_path / "params.yaml"), [f"pe.init_std={sigma}"])  # dvc exp run -S, twice
    lines = zip(text.splitlines(), (tmp_path / "params.yaml").read_text().splitlines(), strict=True)
    assert [after.split()[:2] for before, after in lines if before != after] == [["init_std:", "0.01"]]


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
        ({"typo": 1}, "typo: unknown key; remove it or correct its spelling"),
        ({"device": "tpu"}, "device: 'tpu' given, expected 'auto', 'cpu' or 'cuda'"),
        ({"compute.reproducible": "here"}, "compute.reproducible: 'here' given, expected 'machine' or 'any"),
        ({f"{GRID}.modle": {}}, f"{GRID}.modle: unknown key"),
        ({"scale": "huge"}, "scale: 'huge' is not known; expected one of smoke, small, paper"),
        (
            {"scales.paper.maze": {}},
            "scales.paper.maze: not known; expected one of usual, even_tokens, grid,",
        ),
        # sizes are checked when they are used
        ({f"{GRID}.model.heads": 3}, f"{GRID}.model: .* a width that is a multiple of its 3 heads"),
        ({f"{GRID}.training.compile": "yes"}, f"{GRID}.training.compile: 'yes' given, expected a valid bool"),
        ({f"{GRID}.training.precision": "fp64"}, f"{GRID}.training.precision: 'fp64' given, expected 'auto'"),
        ({f"{GRID}.training.learning_rate": "1e-3"}, f"{GRID}.training.learning_rate: '1e-3' given"),
    ],
)
def test_a_mistake_is_named_in_one_line(changes: Changes, message: str) -> None:
    with pytest.raises(ValueError, match=rf"^{message}[^\n]*$"):
        settings = change_settings(changes)
        settings.model("grid")
        settings.training("grid")


def test_bf16_is_refused_where_it_would_take_a_hundred_times_as_long() -> None:
    sizes = {"scales.smoke.grid": {"training": {"precision": "bf16"}}}
    assert change_settings(sizes).training("grid").precision == "bf16"
    settings = change_settings(sizes | {"compute.reproducible": "anywhere"})
    assert settings.training("network").precision == "fp32"
    with pytest.raises(
        ValueError, match=r"^scales\.smoke\.grid\.training\.precision: bf16 given .*; expected auto or fp32$"
    ):
        settings.training("grid")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("scale: [", "not valid YAML"),
        ("", "'None' given, expected sections"),
        ("a: &a [*a]", "not valid YAML: .*recursion"),
        ("a: &a xxx\nb: &b [*a, *a]\nc: [*b, *b]\n", "^a: unknown key"),  # aliases are fine
        (f"a: &a {10**4 * 'x'}\nb: [{100 * '*a, '}]\n", "stand for 10.* values"),
        (
            "a: " + "[" * 10**5 + "]" * 10**5,
            "not valid YAML: .*more than 100 levels of nesting, expected at most 100",
        ),
        ("a: !!timestamp x", "not valid YAML"),
        ("2020-01-01: 1", "not valid YAML: keys must be str"),
        ("a: !!python/object/apply:os.mkdir [x]", "not valid YAML: line 1: could not determine a"),
    ],
)
def test_files_that_are_no_parameters(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "params.yaml").write_text(text)
    with pytest.raises(ValueError, match=message):
        load(tmp_path / "params.yaml")


def test_a_missing_file_or_section_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="params.yaml not found; run from the project's root"):
        load(tmp_path / "params.yaml")
    write_params(tmp_path, {})
    with pytest.raises(ValueError, match="^probe: missing; add it"):
        load(tmp_path / "params.yaml").section("probe", Model)


def test_hidden_units_of_a_block_without_an_mlp_are_refused() -> None:
    with pytest.raises(ValueError, match="^pe: .*expected extra_hidden with block post_norm"):
        read_configuration("pe", {"scheme": "none", "block": "gau", "extra_hidden": 8})


def test_a_configuration_is_a_scheme_its_settings_and_the_model_around_it() -> None:
    values = {"scheme": "learned", "init_std": None, "mask": "causal", "clip": 3}
    read = read_configuration("pe", values)
    assert (read.scheme, read.settings) == ("learned", {"clip": 3})  # null: the scheme's own default
    assert read.architecture == Architecture(mask="causal")

import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from made_up import ROOT, SWEEP, TASKS, Configuration, Sweep, project

from stages import (
    align_tables,
    describe_tables,
    evaluate,
    intervene,
    map_attention,
    perturb_inputs,
    render,
    test_differences,
)
from stages.encodings import learned
from stages.parameters import params
from stages.parameters.sigmas import DEFAULT_INIT_STD, learned_sigmas

BEFORE = (align_tables, describe_tables, test_differences, map_attention, intervene, perturb_inputs)
NOTHING: Configuration = {"scheme": "none"}


def render_project(folder: Path) -> dict[str, bytes]:
    """The figures' bytes by name, of a made-up project whose scores are not yet measured."""
    for task in TASKS:
        evaluate.evaluate(folder, task)
    for stage in BEFORE:
        stage.main(folder)
    return render_again(folder)


def render_again(folder: Path) -> dict[str, bytes]:
    render.main(folder)
    return {path.name: path.read_bytes() for path in (folder / "reports/figures").iterdir()}


def test_figures_are_the_same_bytes_every_time(tmp_path: Path) -> None:
    project(tmp_path, SWEEP)
    first = render_project(tmp_path)
    names = [Path(path).stem for path in yaml.safe_load((ROOT / "dvc.yaml").read_text())["plots"]]
    assert set(first) == {f"{name}.{suffix}" for name in names for suffix in ("png", "svg")}
    assert render_again(tmp_path) == first


@pytest.mark.parametrize(
    ("sweep", "focus"),
    [
        ({"none": NOTHING}, NOTHING),
        ({}, {"scheme": "sinusoidal_nd"}),  # nothing is trained on the network
    ],
)
def test_any_part_of_the_sweep_is_enough(sweep: Sweep, focus: Configuration, tmp_path: Path) -> None:
    project(tmp_path, sweep, focus, seeds=1)
    assert len(render_project(tmp_path)) == 30


def test_sigmas_are_those_of_plain_learned_tables(tmp_path: Path) -> None:
    focus = {"scheme": "learned", "init_std": None}
    project(tmp_path, SWEEP | {"other": {"scheme": "learned", "init_std": 0.3, "where": "input"}}, focus)
    sigmas = learned_sigmas(params.load(tmp_path / "params.yaml"), "grid")
    assert sigmas == {"focus": 0.1, "learned_s020": 0.2, "learned_s200": 2.0}


def test_the_default_sigma_is_the_schemes_own() -> None:
    assert learned.Settings().init_std == DEFAULT_INIT_STD


def test_stages_that_only_read_start_without_torch() -> None:
    stages = "stages.evaluate, stages.align_tables, stages.render, stages.report"
    check = f"import sys, {stages}; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], cwd=ROOT).returncode == 0

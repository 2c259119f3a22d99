import subprocess
import sys
from pathlib import Path

import pytest
from made_up import ROOT, SWEEP, Configuration, Sweep, project

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


def rendered(folder: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    monkeypatch.chdir(folder)
    for task in params.TASKS:
        monkeypatch.setattr(sys, "argv", ["evaluate", "--task", task])
        evaluate.main()
    for stage in BEFORE:
        stage.main()
    render.main()
    return {path.name: path.read_bytes() for path in Path("reports/figures").iterdir()}


def test_figures_are_the_same_bytes_every_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project(tmp_path, SWEEP)
    first = rendered(tmp_path, monkeypatch)
    names = ["generalisation", "similarity_maps", "alignment", "read_outs", "read_back"]
    names += ["fixed_encodings", "probe", "effects", "layouts", "brain", "geometry", "turned"]
    names += ["attention", "interventions", "robustness"]
    assert set(first) == {f"{name}.{suffix}" for name in names for suffix in ("png", "svg")}
    render.main()
    assert {path.name: path.read_bytes() for path in Path("reports/figures").iterdir()} == first


@pytest.mark.parametrize(
    ("sweep", "focus"),
    [
        ({"none": NOTHING}, NOTHING),
        ({}, {"scheme": "learned", "init_std": 0.0}),
        ({}, {"scheme": "sinusoidal_nd"}),  # nothing is trained on the network
        ({"none": NOTHING, "learned_s020": SWEEP["learned_s020"]}, {"scheme": "learned", "init_std": None}),
    ],
)
def test_any_part_of_the_sweep_is_enough(
    sweep: Sweep, focus: Configuration, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project(tmp_path, sweep, focus, seeds=1)
    assert len(rendered(tmp_path, monkeypatch)) == 30


def test_sigmas_are_those_of_plain_learned_tables(tmp_path: Path) -> None:
    focus = {"scheme": "learned", "init_std": None}
    project(tmp_path, SWEEP | {"other": {"scheme": "learned", "init_std": 0.3, "where": "input"}}, focus)
    sigmas = learned_sigmas(params.load(tmp_path / "params.yaml"), "grid")
    assert sigmas == {"focus": 0.1, "learned_s020": 0.2, "learned_s200": 2.0}


def test_the_default_sigma_is_the_schemes_own() -> None:
    assert learned.Settings().init_std == DEFAULT_INIT_STD


def test_stages_that_only_read_start_without_torch() -> None:
    check = "import sys, stages.evaluate, stages.analyse, stages.render; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], cwd=ROOT).returncode == 0

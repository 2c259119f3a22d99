import shutil
from pathlib import Path

import pytest
from changed_params import ROOT, change_values

from stages.encodings.interface import schemes
from stages.parameters import params
from stages.pipeline import widen_sweep


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with the project's params.yaml, its sweep widened."""
    shutil.copy(ROOT / params.FILE, tmp_path)
    widen_sweep.main(tmp_path)
    return tmp_path


def test_every_scheme_is_on_every_task_and_the_published_sigmas_on_the_grid(root: Path) -> None:
    widened = params.load(root / params.FILE)
    for task in widened.tasks:
        configurations = [widened.configuration(task, name) for name in widened.configurations(task)]
        assert {configuration.scheme for configuration in configurations} == set(schemes())
    learned = [widened.configuration("grid", name) for name in widened.configurations("grid")[1:]]
    sigmas = [each.settings["init_std"] for each in learned if each.scheme == "learned" and each.settings]
    assert sorted(sigmas) == [0.02, *widen_sweep.PUBLISHED_SIGMAS]


def test_existing_configurations_stay_and_nothing_is_added_twice(root: Path) -> None:
    before, after = ((folder / params.FILE).read_text() for folder in (ROOT, root))
    comments = [line.strip() for line in before.splitlines() if line.startswith("#")]
    assert all(comment in after for comment in comments)
    for group, configurations in params.load(ROOT / params.FILE).sweep.items():
        widened = params.load(root / params.FILE).sweep[group]
        assert list(widened.items())[: len(configurations)] == list(configurations.items())
    widen_sweep.main(root)
    assert (root / params.FILE).read_text() == after


def test_a_task_without_a_group_is_named() -> None:
    values = change_values({"tasks.grid": []})
    with pytest.raises(ValueError, match="^tasks.grid: no group of the sweep, expected one to add to"):
        widen_sweep.widen(values["sweep"], values["tasks"])

import shutil
from pathlib import Path

import pytest

from stages.encodings.interface import chosen, schemes
from stages.parameters import params
from stages.pipeline import widen_sweep

ROOT = Path(__file__).parents[2]


@pytest.fixture
def widened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> params.Params:
    shutil.copy(ROOT / "params.yaml", tmp_path)
    monkeypatch.chdir(tmp_path)
    widen_sweep.main()
    return params.load()


def test_every_scheme_is_on_every_task(widened: params.Params) -> None:
    for task in params.TASKS:
        own = [widened.configuration(task, name) for name in widened.configurations(task)]
        assert {configuration.scheme for configuration in own} == set(schemes())
        assert all(chosen(configuration) for configuration in own)


def test_the_grid_has_the_published_sigmas(widened: params.Params) -> None:
    sweep = widened.sweep.grid.values()
    sigmas = [one["init_std"] for one in sweep if one["scheme"] == "learned" and "init_std" in one]
    assert sorted(sigmas) == [0.02, *widen_sweep.PUBLISHED_SIGMAS]


def test_what_was_there_stays_and_nothing_is_added_twice(widened: params.Params) -> None:
    before = (ROOT / "params.yaml").read_text()
    after = Path("params.yaml").read_text()
    comments = [line.strip() for line in before.splitlines() if line.startswith("#")]
    assert all(comment in after for comment in comments)
    for task in params.TASKS:
        original = getattr(params.load(ROOT / "params.yaml").sweep, task)
        assert list(getattr(widened.sweep, task).items())[: len(original)] == list(original.items())
    widen_sweep.main()
    assert Path("params.yaml").read_text() == after

"""Settings that do nothing to a task's tokens, or the same, are refused once its data are made."""

from pathlib import Path
from typing import Any

import pytest
from changed_params import write_params
from made_windows import TOKENS, make_windows
from small_studies import cells_of

from stages.core.encodings import alibi
from stages.core.encodings.interface import Host, PositionalEncoding
from stages.data import make
from stages.files.artifacts import write_arrays
from stages.studies.checks.alike import check_effects
from stages.tasks.running_text.facts import TIMES


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the 30 nodes of a small network."""
    folder = tmp_path_factory.mktemp("network")
    write_params(folder, {"network.nodes": 30})
    make(folder, "network")
    return folder


def check(root: Path, *fresh: str, **study: Any) -> None:
    check_effects(root, cells_of(**study), [f"network-{name}" for name in fresh])


def along(scheme: str, of: str, *values: float) -> dict[str, Any]:
    return {"cells": {"a": {"scheme": scheme}}, "axis": {"of": of, "values": [*values]}}


@pytest.mark.parametrize(
    ("scheme", "setting", "values", "fresh"),
    [
        ("shaw", "max_distance", (100, 200), ("a-100", "a-200")),
        ("shaw", "max_distance", (29, 100), ("a-100",)),
        ("laplacian", "components", (29, 500), ("a-500",)),
    ],
)
def test_two_settings_that_do_the_same_are_refused(
    root: Path, scheme: str, setting: str, values: tuple[int, int], fresh: tuple[str, ...]
) -> None:
    with pytest.raises(ValueError, match=f"one cell under two names: {scheme} does the same .*{setting} "):
        check(root, *fresh, **along(scheme, setting, *values))


def test_settings_that_differ_in_effect_pass(root: Path) -> None:
    check(root, "a-2", "a-28", **along("shaw", "max_distance", 2, 28))
    check(root, "a-0_1", "a-0_2", **along("learned", "init_std", 0.1, 0.2))
    check(root, "b", cells={"b": {"scheme": "none"}, "c": {"scheme": "none", "normaliser": "l2"}})


def test_what_differs_in_longer_windows_alone_passes(tmp_path: Path) -> None:
    write_arrays(tmp_path / "data/tasks/running_text/windows.npz", make_windows())

    def check_scaled(trained_tokens: int) -> None:
        scaled = {"scheme": "rope_scaled", "trained_tokens": trained_tokens, "mask": "causal"}
        both = {name: scaled | {"method": name} for name in ("ntk", "interpolation")}
        check_effects(tmp_path, cells_of(tasks=["running_text"], cells=both), ["running_text-ntk"])

    check_scaled(TOKENS)
    with pytest.raises(ValueError, match="one cell under two names: rope_scaled does the same"):
        check_scaled(TIMES[-1] * TOKENS)


def test_a_setting_that_nothing_reads_is_refused(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Encoding(PositionalEncoding):
        def __init__(self, host: Host, slope: float = 1.0) -> None:
            super().__init__()

        def logits(self, block: int, logits: Any, q: Any, k: Any, x: Any, rows: slice) -> Any:
            return 2 * logits

    monkeypatch.setattr(alibi, "Encoding", Encoding)
    with pytest.raises(ValueError, match="alibi does the same to this task's tokens with slope 1.0 and with"):
        check(root, "a-2", **along("alibi", "slope", 1.0, 2.0))


def test_an_encoding_that_changes_nothing_is_refused(root: Path) -> None:
    with pytest.raises(ValueError, match="^network-a: random_walk changes nothing of .* with steps 1;"):
        check(root, "a", cells={"a": {"scheme": "random_walk", "steps": 1}})


class Deaf(PositionalEncoding):
    """Takes settings that it never reads."""

    def __init__(
        self, host: Host, slope: float = 0.5, kernel: str = "linear", own: int | None = None
    ) -> None:
        super().__init__()
        self.slope = slope

    def logits(self, block: int, logits: Any, q: Any, k: Any, x: Any, rows: slice) -> Any:
        return 2 * logits


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ({"slope": 50.0}, "slope 50.0 as with its default, 0.5"),
        ({"kernel": "gauss"}, "kernel gauss as with its default, linear"),
        ({"slope": 0.5, "kernel": "gauss"}, "kernel gauss as"),
    ],
)
def test_a_setting_that_does_as_its_default_does_is_refused(
    written: dict[str, Any], named: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alibi, "Encoding", Deaf)
    with pytest.raises(
        ValueError, match=f"^network-a: alibi does the same .* {named}.*; leave it out, or see"
    ):
        check(root, "a", cells={"a": {"scheme": "alibi", **written}})
    check(root, cells={"a": {"scheme": "alibi", **written}})  # nothing is trained anew
    check(root, "a", cells={"a": {"scheme": "alibi", "slope": 0.5}})


def test_a_setting_that_may_be_what_null_stands_for_is_said(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(alibi, "Encoding", Deaf)
    check(root, "a", cells={"a": {"scheme": "alibi", "own": 3}})
    assert "with own 3 as with its default, None; where it should differ" in capsys.readouterr().out


def test_a_setting_that_acts_in_one_of_its_cells_passes(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Capped(PositionalEncoding):
        def __init__(self, host: Host, gain: float = 5.0) -> None:
            super().__init__()
            self.gain = min(gain, 3.0)

        def logits(self, block: int, logits: Any, q: Any, k: Any, x: Any, rows: slice) -> Any:
            return self.gain * logits

    monkeypatch.setattr(alibi, "Encoding", Capped)
    capped, free = {"scheme": "alibi", "gain": 4.0}, {"scheme": "alibi", "gain": 2.0}
    check(root, "a", "b", cells={"a": capped, "b": free})
    with pytest.raises(ValueError, match="^network-a: alibi does the same to .* with gain 4.0 as with its"):
        check(root, "a", cells={"a": capped})

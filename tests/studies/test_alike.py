"""Settings that do nothing to a task's tokens, or the same, are refused once its data are made."""

from pathlib import Path
from typing import Any

import pytest
from changed_params import write_params
from small_studies import cells_of

from stages.core.encodings import alibi
from stages.core.encodings.interface import Host, PositionalEncoding
from stages.data import make
from stages.studies.alike import check_effects


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

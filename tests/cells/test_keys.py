"""Everything that decides a cell's numbers changes its key, and nothing else does."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from changed_params import VALUES, Changes, write_yaml
from small_studies import cell_of, make_study

from stages.cells import code, keys
from stages.cells.code import LOCK
from stages.cells.key_files import digest_key
from stages.cells.keys import find_keys, key_of_cell
from stages.core.settings.errors import InputError
from stages.files.artifacts import write_arrays
from stages.studies.planning.expand import expand

LEARNED = {"scheme": "learned"}
# numbers of a task's own section that training reads from params.yaml; all others shape its data
READ = {
    "network": ["network.mask_fraction"],
    "recordings": ["recordings.mask_fraction"],
    "grid": ["grid.order"],
    "language": ["language.mask_fraction"],
    "probe": [],
}


def key_of(task: str, changes: Changes, **study: Any) -> str:
    return digest_key(key_of_cell(cell_of(task, changes, **study), {"frames.npz": "0"}, {"tables": "1"}))


def list_numbers(values: Any, place: str = "") -> Iterator[tuple[str, int | float]]:
    for name, value in values.items():
        path = f"{place}.{name}" if place else name
        if isinstance(value, dict):
            yield from list_numbers(value, path)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield path, value


def decides(path: str, task: str) -> bool:
    """Tell whether a number of params.yaml is read as a cell of the task is trained on its data."""
    if path.startswith("scales."):
        _, scale, of, part, name = path.split(".")
        own = VALUES["scales"]["smoke"].get(task, {}).get(part, {})
        return scale == "smoke" and (of == task or (of == "usual" and name not in own))
    return path in {"seed", "compute.threads", *READ[task]}


@pytest.mark.parametrize("task", READ)
def test_every_number_that_training_reads_is_in_the_key_and_no_other(task: str) -> None:
    before = key_of(task, {})
    numbers = dict(list_numbers(VALUES))
    changed = {path for path, value in numbers.items() if key_of(task, {path: 2 * value or 1}) != before}
    assert changed == {path for path in numbers if decides(path, task)} and "seed" in changed


@pytest.mark.parametrize(
    ("changes", "study", "same"),
    [
        ({"compute.reproducible": "anywhere"}, {}, False),
        ({"scales.smoke.network.training.optimiser": "adam"}, {}, False),
        ({}, {"cells": {"one": {"scheme": "none"}}}, False),
        ({}, {"cells": {"one": LEARNED | {"init_std": 0.3}}}, False),
        ({}, {"cells": {"one": LEARNED | {"mask": "causal"}}}, False),
        ({}, {"cells": {"one": LEARNED | {"trained": False}}}, False),
        ({}, {"cells": {"one": LEARNED | {"first_seed": 1}}}, False),
        ({}, {"set": {"training.epochs": 9}}, False),
        ({}, {"cells": {"other": LEARNED}}, True),
        ({}, {"set": {"training.epochs": 2}}, True),  # the usual value
        ({"device": "cpu", "recordings.ridge": 9.0, "pe.scheme": "none"}, {}, True),
    ],
)
def test_words_and_configurations_count_and_names_do_not(
    changes: Changes, study: dict[str, Any], same: bool
) -> None:
    assert (key_of("network", changes, **study) == key_of("network", {})) == same


def keys_of(root: Path, **donor: Any) -> dict[str, str]:
    """Digest the keys of a cell and of one that starts from it."""
    cells = {"donor": LEARNED | donor, "one": LEARNED | {"start": {"tables": "donor"}}}
    expanded = expand("own", make_study(cells=cells), VALUES)
    return {key: digest_key(one) for key, one in find_keys(root, expanded.cells, expanded.cells).items()}


def test_the_bytes_of_data_and_the_keys_of_donors_count(tmp_path: Path) -> None:
    data = tmp_path / "data/tasks/network"
    write_arrays(data / "frames.npz", {"a": np.zeros(2)})
    before = keys_of(tmp_path)
    (data / "people.csv").write_text("read by no training")
    assert keys_of(tmp_path) == before
    donor = keys_of(tmp_path, set={"training.epochs": 3})
    write_arrays(data / "frames.npz", {"a": np.ones(2)})
    for changed in (donor, keys_of(tmp_path)):
        assert not [key for key in before if changed[key] == before[key]]


def test_versions_of_the_lock_count_of_what_is_imported_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "describe_code", code.describe_code.__wrapped__)
    monkeypatch.setattr(code, "LOCK", tmp_path / "lock")
    text = LOCK.read_text(encoding="utf-8")
    found = []
    for changed in (text, text.replace("dvc==", "dvc==9"), text.replace("torch==", "torch==9")):
        (tmp_path / "lock").write_text(changed, encoding="utf-8")
        found.append(key_of("network", {}))
    assert found[0] == found[1] != found[2]
    named = code.list_versions("stages.cells.make_cell")
    assert {"torch", "numpy", "pandas", "safetensors"} <= named.keys() and "dvc" not in named


def test_a_version_that_is_installed_beside_the_lock_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(keys, "version", {"torch": "9.9+cpu", "numpy": "2.1"}.__getitem__)
    keys.check_installed([{"versions": {"torch": "9.8", "numpy": "2.1"}}, {"versions": {"torch": "9.8"}}])
    said = capsys.readouterr().out
    assert said.startswith("note: torch 9.9 is installed, but keys name 9.8 of stages/requirements.lock")
    assert said.count("\n") == 1
    monkeypatch.setattr(keys, "version", {"torch": "9.8+cu130"}.__getitem__)
    keys.check_installed([{"versions": {"torch": "9.8"}}])
    assert not capsys.readouterr().out


@pytest.mark.parametrize("path", ["helpers.py", "stages/helpers.py", "tests/own.py"])
def test_code_that_dvc_does_not_watch_is_refused(path: str) -> None:
    own = {"code": {"stages/core/encodings/own.py": "1", "stages/kernels.py": "2"}}
    keys.check_watched({"a": own, "b": key_of_cell(cell_of("network", {}), {}, {})})
    own["code"][path] = "3"
    with pytest.raises(
        InputError, match=f"^a: imports {path}, which is not among the deps of train in dvc.yaml"
    ):
        keys.check_watched({"a": own})


def test_a_pipeline_of_one_study_is_read_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "ROOT", tmp_path)
    inside: dict[str, Any] = {"a": {"code": {"stages/core/own.py": "1"}}}
    outside: dict[str, Any] = {"a": {"code": {"own.py": "1"}}}
    write_yaml(tmp_path / "dvc.yaml", {"stages": {"train": {"deps": ["studies", "stages"]}}})
    keys.check_watched(inside)
    with pytest.raises(InputError, match="imports own.py, which is not among the deps of train"):
        keys.check_watched(outside)
    write_yaml(tmp_path / "dvc.yaml", {"stages": {}})  # dvc trains nothing
    keys.check_watched(outside)

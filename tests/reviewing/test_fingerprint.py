"""Sums of one run on two processors side by side."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from stages.reviewing import fingerprint
from stages.reviewing.fingerprint import Fingerprint, describe, hash_results, name_file, sum_inputs
from stages.reviewing.pipeline import Stage

MINE = Fingerprint("AMD EPYC", ["avx2"], "code 1", {"data/a.npz": "1", "data/b.npz": "2"})
OTHER = replace(MINE, processor="Intel(R) Xeon(R)")
ALTERED = replace(OTHER, files={"data/a.npz": "1", "data/b.npz": "3"})
STAGE = Stage("train", "python train.py", ("train.py",), ("data/a", "reports/figures"))


def test_one_line_about_two_processors() -> None:
    assert describe(MINE, OTHER) == "the same bytes of all 2 files on AMD EPYC and Intel(R) Xeon(R)"
    assert describe(MINE, ALTERED) == "1 of 2 files differ on Intel(R) Xeon(R): first data/b.npz"
    assert "where code, data" in describe(MINE, replace(ALTERED, inputs="code 2"))
    assert MINE.compare(replace(OTHER, files={"data/a.npz": "1"})) == ["data/b.npz"]


def test_a_processor_has_a_file_of_its_own() -> None:
    assert name_file("Intel(R) Xeon(R) CPU @ 2.20GHz").name == "intel_r_xeon_r_cpu_2_20ghz.json"


def test_weights_and_tables_are_summed_and_pictures_are_not(tmp_path: Path) -> None:
    for path in ("data/a/w.safetensors", "reports/figures/one.svg", "data/other.csv"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(b"abc")
    abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert hash_results(tmp_path, [STAGE]) == {"data/a/w.safetensors": abc}


def test_other_code_or_settings_are_other_inputs(tmp_path: Path) -> None:
    (tmp_path / "params.yaml").write_text("seed: 0\n")
    (tmp_path / "train.py").write_text("1")
    sums = [sum_inputs(tmp_path, [STAGE], settings) for settings in ("a", "b", "a")]
    assert sums[0] == sums[2] != sums[1]
    (tmp_path / "train.py").write_text("2")
    assert sum_inputs(tmp_path, [STAGE], "a") != sums[0]


def test_the_command_writes_its_file_and_ends_with_what_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(fingerprint, "take_fingerprint", lambda _: MINE)
    fingerprint.main(tmp_path)
    assert json.loads((tmp_path / name_file("AMD EPYC")).read_text()) == asdict(MINE)
    (tmp_path / name_file(ALTERED.processor)).write_text(json.dumps(asdict(ALTERED)))
    with pytest.raises(ValueError, match="not the same bytes"):
        fingerprint.main(tmp_path)
    said = capsys.readouterr().out
    assert describe(MINE, MINE) in said and describe(MINE, ALTERED) in said

"""Sums of one run on two processors side by side."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from published_project import commit, git

from stages.reviewing import fingerprint
from stages.reviewing.fingerprint import FOLDER, Fingerprint, describe, sum_inputs

MINE = Fingerprint("Intel(R) Xeon(R) CPU @ 2.20GHz", ["avx2"], "1", {"data/a.npz": "1", "data/b.npz": "2"})
OTHER = replace(MINE, processor="AMD EPYC")
ALTERED = replace(OTHER, files={"data/a.npz": "1", "data/b.npz": "3"})


def test_one_line_about_two_processors() -> None:
    assert describe(MINE, OTHER) == f"the same bytes of all 2 files on {MINE.processor} and AMD EPYC"
    assert describe(MINE, ALTERED) == "1 of 2 files differ on AMD EPYC: first data/b.npz"
    assert "where code, data" in describe(MINE, replace(ALTERED, inputs="2"))
    assert describe(MINE, replace(OTHER, files={"data/a.npz": "1"})).endswith("first data/b.npz")


def test_other_code_or_settings_are_other_inputs_and_results_are_none(tmp_path: Path) -> None:
    def write(path: str) -> str:
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text("seed: 0\n")
        commit(tmp_path)
        return sum_inputs(tmp_path, "a")

    git(tmp_path, "init", "-q")
    for folder in ("stages", "studies", "data"):
        write(f"{folder}/README.md")
    before = write("dvc.yaml")
    assert write("reports/a.csv") == write("stages/dvc.lock") == before != sum_inputs(tmp_path, "b")
    assert before != write("stages/train.py")


def test_the_command_writes_its_file_and_ends_with_what_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(fingerprint, "take_fingerprint", lambda _: MINE)
    fingerprint.main(tmp_path)
    written = tmp_path / FOLDER / "intel_r_xeon_r_cpu_2_20ghz.json"
    assert json.loads(written.read_text()) == asdict(MINE)
    (tmp_path / FOLDER / "amd_epyc.json").write_text(json.dumps(asdict(ALTERED)))
    with pytest.raises(ValueError, match="not the same bytes"):
        fingerprint.main(tmp_path)
    said = capsys.readouterr().out
    assert describe(MINE, MINE) in said and describe(MINE, ALTERED) in said


def test_results_are_summed_and_pictures_are_not(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run_again(root: Path, scratch: Path, *_: object) -> None:
        for path in ("data/numbers.bin", "data/tables/one.svg", "data/other.csv"):
            (scratch / path).parent.mkdir(parents=True, exist_ok=True)
            (scratch / path).write_bytes(b"abc")

    monkeypatch.setattr(fingerprint, "run_again", run_again)
    git(tmp_path, "clone", "-q", str(project), "clone")
    taken = fingerprint.take_fingerprint(tmp_path / "clone")
    abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert taken.files == {"data/numbers.bin": abc}

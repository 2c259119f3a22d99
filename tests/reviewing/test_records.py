"""What publishing takes for granted about dvc.lock and git."""

import subprocess
from pathlib import Path

import pytest

from stages.reviewing import objects, records, verify

ROOT = Path(__file__).parents[2]


def test_what_git_holds_is_known_by_its_path() -> None:
    listed = subprocess.run(["git", "ls-files", *records.FOLDERS], cwd=ROOT, capture_output=True, text=True)
    dvcs = [path for path in listed.stdout.splitlines() if not records.IN_GIT.fullmatch(path)]
    assert all(path.startswith("data/scores/") for path in dvcs)


@pytest.mark.parametrize("line", ["0" * 63 + "  a", "0" * 64 + " *a", "0" * 64 + "  b", ""])
def test_a_line_that_is_no_sum(tmp_path: Path, line: str) -> None:
    (tmp_path / "sums").write_bytes(records.format_sums({"b": "1" * 64}) + f"{line}\n".encode())
    with pytest.raises(ValueError, match="^line 2 is not a new"):
        records.read_sums(tmp_path / "sums")


def test_where_nothing_was_published_nothing_is_verified(tmp_path: Path) -> None:
    (fault,) = verify.check(tmp_path)
    assert (fault.path, fault.kind) == (records.SUMS, "missing")


def test_outputs_of_every_lock_but_of_what_was_left_out(tmp_path: Path) -> None:
    for name, out in {"dvc.lock": "data/a", "studies/sigma/dvc.lock": "data/b"}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        entry = f"{{path: {out}, hash: md5, md5: '{'0' * 32}'}}"
        (tmp_path / name).write_text(f"schema: '2.0'\nstages:\n  s: {{cmd: c, outs: [{entry}]}}\n")
    assert objects.read_outputs(tmp_path) == {"data/a": "0" * 32, "data/b": "0" * 32}
    (tmp_path / "reports").mkdir()
    (tmp_path / records.PROVENANCE).write_text('{"left_out": {"studies/sigma/dvc.yaml:s": ["data/b"]}}')
    assert objects.read_outputs(tmp_path) == {"data/a": "0" * 32}
    assert records.list_unpublished(tmp_path, "withheld") == set()

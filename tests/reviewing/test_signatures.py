"""Signed sums and replays: who is known, and what is not as it was signed. By ssh-keygen itself."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from commands import attempt
from published_project import ROOT, Published, clone, commit

from stages.reviewing import records, replays, signatures, verify
from stages.reviewing.publish import publish
from stages.reviewing.pull import pull
from stages.reviewing.records import SUMS

HERE = {"machine": {"cpu": "A", "cores": 2, "system": "x"}, "threads": {"cpu_capability": "AVX2"}}


def make_key(path: Path) -> Path:
    command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(path)]
    subprocess.run(command, check=True)
    return path


def allow(root: Path, **keys: Path) -> Path:
    """A file of allowed signers in `root` with these names and no others."""
    lines = [f"{name} {key.with_suffix('.pub').read_text()}" for name, key in keys.items()]
    (root / signatures.SIGNERS).write_text("".join(lines))
    return root / signatures.SIGNERS


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return make_key(tmp_path / "key")


@pytest.fixture
def signed(tmp_path: Path, key: Path) -> Path:
    (tmp_path / "sums").write_text("sums")
    signatures.sign(tmp_path / "sums", key)
    return tmp_path


def kind(root: Path, signers: Path) -> str:
    found = signatures.identify_signer(root, "sums", signers)
    return found if isinstance(found, str) else found.kind


def test_a_known_signer_has_a_name(signed: Path, key: Path) -> None:
    assert kind(signed, allow(signed, reviewer=key)) == "reviewer"


def test_others_are_unknown_and_what_is_altered_has_a_wrong_signature(signed: Path, key: Path) -> None:
    other = make_key(signed / "other")
    assert kind(signed, allow(signed, reviewer=other)) == kind(signed, signed / "none") == "unknown signer"
    signers = allow(signed, reviewer=key)
    signers.write_text(f'reviewer namespaces="git" {key.with_suffix(".pub").read_text()}')
    assert kind(signed, signers) == "wrong signature"
    allow(signed, reviewer=key)
    (signed / "sums.sig").write_text("none")
    assert kind(signed, signers) == "wrong signature"
    signatures.sign(signed / "sums", key)
    (signed / "sums").write_text("Sums")
    assert kind(signed, signers) == "wrong signature"


def test_a_key_that_is_none(signed: Path) -> None:
    with pytest.raises(ValueError, match="SIGN '.*none' given, expected an ssh key that signs; "):
        signatures.sign(signed / "sums", signed / "none")


def test_without_ssh_keygen(signed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert "not installed" in str(signatures.identify_signer(signed, "sums", signed / "none"))


def test_published_signed(published: Published, tmp_path: Path, key: Path) -> None:
    copy = clone(published, tmp_path / "copy")
    pull(copy)
    with pytest.raises(ValueError, match="unknown signer: reports/SHA256SUMS.sig .*; add `NAME KEY`"):
        publish(copy, str(published.remote), key)
    signers = allow(copy, author=key)
    commit(copy)
    publish(copy, str(published.remote), key)
    assert verify.check_signatures(copy, signers)[0][0] == "signed by author" and not verify.check(copy)
    commit(copy)
    publish(copy, str(published.remote))
    subprocess.run(["git", "diff", "--exit-code"], cwd=copy, check=True)  # the same sums keep their signature
    (copy / SUMS).write_text((copy / SUMS).read_text()[1:])
    assert str(verify.check_signatures(copy, signers)[1][0]).startswith(
        "wrong signature: reports/SHA256SUMS.sig"
    )


def record(root: Path, key: Path, outcome: str, **environment: object) -> Path:
    """A signed replay of one file."""
    file = {"path": "data/a", "outcome": outcome, "artifact": "0" * 64}
    replays.write_last(root, [file], HERE | environment)
    return replays.sign_last(root, key)


def test_machines_instruction_sets_and_people_are_counted(tmp_path: Path, key: Path) -> None:
    signers = allow(tmp_path, a=key, b=make_key(tmp_path / "other"))
    record(tmp_path, key, "identical")
    record(tmp_path, key, "within rounding", threads={"cpu_capability": "AVX512"})
    record(tmp_path, tmp_path / "other", "identical", machine={"cpu": "B", "cores": 2})
    record(tmp_path, key, "different", machine={"cpu": "C"})
    record(tmp_path, key, "not measured", machine={"cpu": "D"})  # tells nothing
    (tmp_path / SUMS).write_bytes(records.format_sums({"data/a": "0" * 64}))
    known, faults = replays.check_replays(tmp_path, signers)
    assert not faults and len(known) == 5
    assert "replayed by b on B (AVX2): 1 identical" in map(str, known)
    said = "reproduced on 2 machines with 2 instruction sets (AVX2, AVX512), by a, b"
    assert replays.count(known) == said
    record(tmp_path, key, "same conclusions", machine={"cpu": "E"})
    counted = replays.count(replays.check_replays(tmp_path, signers)[0])
    assert counted == f"{said}; the same conclusions on 1 further machine"
    (tmp_path / SUMS).write_bytes(records.format_sums({"data/a": "1" * 64}))  # other results since
    assert replays.count(replays.check_replays(tmp_path, signers)[0]) == "no signed replay reproduces it"


def test_an_equal_replay_takes_the_place_of_the_last(tmp_path: Path, key: Path) -> None:
    folder = record(tmp_path, key, "identical")
    assert record(tmp_path, key, "identical") == folder
    assert len(replays.check_replays(tmp_path, allow(tmp_path, a=key))[0]) == 1


def test_a_record_that_was_altered_is_one_line(tmp_path: Path, key: Path) -> None:
    folder = record(tmp_path, key, "different")
    content = json.loads((folder / replays.RECORD).read_text())
    content["files"][0]["outcome"] = "identical"
    (folder / replays.RECORD).write_text(json.dumps(content))
    known, faults = replays.check_replays(tmp_path, allow(tmp_path, a=key))
    path = (folder / replays.RECORD).relative_to(tmp_path)
    assert not known and [str(fault) for fault in faults] == [f"altered: {path} (not as its sum)"]


def test_a_replay_is_signed_by_the_command(published: Published, tmp_path: Path, key: Path) -> None:
    copy = Path(shutil.copytree(published.project, tmp_path / "copy"))
    command = ("python", "-m", "stages.reviewing.replay", "evaluate", "--sign", str(key))
    done = attempt(copy, *command, PYTHONPATH=str(ROOT))
    assert done.returncode == 0, done.stderr
    allow(copy, reviewer=key)
    done = attempt(copy, "python", "-m", "stages.reviewing.verify", PYTHONPATH=str(ROOT))
    assert (done.returncode, done.stdout) == (0, "")
    assert "3 identical\nreproduced on 1 machine with 1 instruction set (" in done.stderr

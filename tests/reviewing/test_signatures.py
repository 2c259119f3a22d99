"""Signed sums and replays: who is known, and what is not as it was signed. By ssh-keygen itself."""

import json
import subprocess
from pathlib import Path

import pytest
from published_project import Published, clone, commit

from stages.files.hashing import hash_file
from stages.reviewing import records, replay, signatures, verify
from stages.reviewing.publish import publish
from stages.reviewing.pull import pull
from stages.reviewing.records import SUMS

HERE = {"machine": {"cpu": "A"}, "threads": {"cpu_capability": "AVX2"}}


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
    (signed / "sums").unlink()
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
    assert signatures.check_signatures(copy, tmp_path / "none") == (["not signed"], [])
    signers = allow(copy, author=key)
    commit(copy)
    publish(copy, str(published.remote), key)
    assert signatures.check_signatures(copy, signers) == (["signed by author"], [])
    assert not verify.check(copy)
    commit(copy)
    publish(copy, str(published.remote))
    subprocess.run(["git", "diff", "--exit-code"], cwd=copy, check=True)  # the same sums keep their signature
    (copy / SUMS).write_text((copy / SUMS).read_text()[1:])
    (fault,) = signatures.check_signatures(copy, signers)[1]
    assert (fault.kind, fault.path) == ("wrong signature", "reports/SHA256SUMS.sig")


def test_who_replayed_where_and_how_it_came_out(tmp_path: Path, key: Path) -> None:
    signers, last = allow(tmp_path, b=key), tmp_path / replay.LAST
    last.parent.mkdir()
    (tmp_path / SUMS).write_bytes(records.format_sums({"data/a": "0" * 64}))
    record = {
        "verdict": "reproduced: 1 identical",
        "of": hash_file(tmp_path / SUMS),
        "environment": HERE,
    }
    last.write_text(json.dumps(record))
    moved = replay.sign_record(tmp_path, key)
    said = "replayed by b on A (AVX2): reproduced: 1 identical"
    assert signatures.check_signatures(tmp_path, signers) == ([said], []) and not last.exists()
    (tmp_path / SUMS).write_bytes(records.format_sums({"data/a": "1" * 64}))
    assert signatures.check_signatures(tmp_path, signers)[0] == [f"{said} (of results published before)"]
    moved.write_text(moved.read_text().replace("reproduced", "not reproduced"))
    (fault,) = signatures.check_signatures(tmp_path, signers)[1]
    assert (fault.kind, fault.path) == ("wrong signature", f"{moved.relative_to(tmp_path)}.sig")

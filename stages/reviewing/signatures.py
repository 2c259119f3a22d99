"""Sums signed with ssh keys, as git signs commits. Needs ssh-keygen and Python's standard library alone."""

import subprocess
from contextlib import suppress
from pathlib import Path

from stages.reviewing.records import Fault

NAMESPACE = "file"  # what such signatures are for, in ssh-keygen's words
SIGNERS = "allowed_signers"  # in the root: a line for each, `name key`, as in man ssh-keygen


def sign(file: Path, key: Path) -> None:
    """Write the signature beside the file. ValueError: the key cannot be used."""
    signature_of(file).unlink(missing_ok=True)  # ssh-keygen would ask
    done = _keygen("sign", "-f", str(key), "-n", NAMESPACE, str(file))
    if done.returncode:
        raise ValueError(f"SIGN '{key}' given, expected an ssh key that signs; {_last_line(done.stderr)}")


def signature_of(file: Path) -> Path:
    """Where it lies."""
    return file.with_name(f"{file.name}.sig")


def identify_signer(root: Path, name: str, signers: Path) -> str | Fault:
    """The name, among the allowed signers, of who signed the file of that name; or why there is none."""
    signature = signature_of(root / name)
    content, fault = b"", f"{name}.sig"
    with suppress(OSError):  # absent sums are not what was signed
        content = (root / name).read_bytes()
    signed = ["-n", NAMESPACE, "-s", str(signature)]
    whole = _keygen("check-novalidate", *signed, content=content)
    if whole.returncode:
        return Fault(fault, "wrong signature", f"not of this {name}: {_last_line(whole.stderr)}")
    known = _keygen("find-principals", "-s", str(signature), "-f", str(signers))
    if known.returncode:
        key = whole.stdout.split()[-1]
        return Fault(fault, "unknown signer", f"{signers} has no line `name key` with the key {key}")
    signer = known.stdout.splitlines()[0]
    allowed = _keygen("verify", *signed, "-f", str(signers), "-I", signer, content=content)
    if allowed.returncode:
        return Fault(fault, "wrong signature", f"{signer} may not sign it: {_last_line(allowed.stderr)}")
    return signer


def _keygen(*arguments: str, content: bytes = b"") -> "subprocess.CompletedProcess[str]":
    """ssh-keygen -Y; where it is not installed it fails, and says so."""
    command = ["ssh-keygen", "-Y", *arguments]
    try:
        done = subprocess.run(command, input=content, capture_output=True)
    except FileNotFoundError:
        return subprocess.CompletedProcess(command, 127, "", "ssh-keygen is not installed")
    return subprocess.CompletedProcess(
        command, done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")
    )


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["ssh-keygen says nothing"])[-1]

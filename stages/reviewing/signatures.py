"""Files signed with ssh keys, as git signs commits. Needs ssh-keygen and Python's standard library alone."""

import json
import subprocess
from pathlib import Path

from stages.files.hashing import hash_file
from stages.parameters.errors import InputError
from stages.reviewing import records
from stages.reviewing.records import Fault

NAMESPACE = "file"  # what such signatures are for, in ssh-keygen's words
SIGNERS = "allowed_signers"  # in the root: a line for each, `name key`, as in man ssh-keygen
REPLAYS = "reports/replays"  # signed records of replays, to be committed


def sign(file: Path, key: Path) -> None:
    """Write the signature beside the file. InputError: the key cannot be used."""
    signature_of(file).unlink(missing_ok=True)  # ssh-keygen would ask
    status, said = _keygen("sign", "-f", str(key), "-n", NAMESPACE, str(file))
    if status:
        raise InputError(f"SIGN '{key}' given, expected an ssh key that signs; {said}")


def signature_of(file: Path) -> Path:
    """Where it lies."""
    return file.with_name(f"{file.name}.sig")


def identify_signer(root: Path, name: str, signers: Path) -> str | Fault:
    """The name, among the allowed signers, of who signed the file of that name; or why there is none."""
    content = (root / name).read_bytes() if (root / name).is_file() else b""
    signature, allowed = ["-s", str(signature_of(root / name))], ["-f", str(signers)]
    status, key = _keygen("check-novalidate", "-n", NAMESPACE, *signature, content=content)
    if status:
        return Fault(f"{name}.sig", "wrong signature", f"not of this {name}: {key}")
    status, signer = _keygen("find-principals", *signature, *allowed)
    if status:
        why = f"{signers} has no line `name key` with the key {key.split()[-1]}"
        return Fault(f"{name}.sig", "unknown signer", why)
    whose = ["-n", NAMESPACE, "-I", signer]
    status, said = _keygen("verify", *whose, *signature, *allowed, content=content)
    return Fault(f"{name}.sig", "wrong signature", f"{signer} may not sign it: {said}") if status else signer


def check_signatures(root: Path, signers: Path) -> tuple[list[str], list[Fault]]:
    """Who signed the sums and records of replays, a line each; and what is wrong with other signatures."""
    lines, faults = [], []
    signed = [root / records.SUMS, *sorted((root / REPLAYS).glob("*.json"))]
    for path in [path for path in signed if signature_of(path).exists()]:
        signer = identify_signer(root, path.relative_to(root).as_posix(), signers)
        if isinstance(signer, Fault):
            faults.append(signer)
        elif path == root / records.SUMS:
            lines.append(f"signed by {signer}")
        else:
            lines.append(f"replayed by {signer} {_describe_replay(root, path)}")
    return lines or ["not signed"], faults


def _describe_replay(root: Path, path: Path) -> str:
    """Where it ran and how it came out, from the record that stages.reviewing.replay wrote."""
    record, sums = json.loads(path.read_bytes()), root / records.SUMS
    machine, threads = record["environment"]["machine"], record["environment"]["threads"]
    others = "" if sums.is_file() and record["of"] == hash_file(sums) else " (of results published before)"
    return f"on {machine['cpu']} ({threads['cpu_capability']}): {record['verdict']}{others}"


def _keygen(*arguments: str, content: bytes = b"") -> tuple[int, str]:
    """Exit status of ssh-keygen -Y, and its first line of output or the last of its complaint."""
    try:
        done = subprocess.run(["ssh-keygen", "-Y", *arguments], input=content, capture_output=True)
    except FileNotFoundError:
        return 127, "ssh-keygen is not installed"
    lines = (done.stderr if done.returncode else done.stdout).decode(errors="replace").strip().splitlines()
    return done.returncode, (lines or [""])[-1 if done.returncode else 0]

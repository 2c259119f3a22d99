"""Records of replays: what came out how, on which machine. Needs Python's standard library alone.

Each is a folder with sums of its own. A signed one lies in reports/replays, to be committed.
"""

import hashlib
import json
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from stages.files.hashing import hash_file, hash_files
from stages.reviewing import crate, records, signatures
from stages.reviewing.crate import METADATA
from stages.reviewing.records import Fault

LAST = "reports/replay"  # of this checkout, not in git
SIGNED = "reports/replays"
SUMS, RECORD = "SHA256SUMS", "replay.json"


class Replay(NamedTuple):
    """Who signed it, where it ran, and how many published files came out how."""

    by: str
    processor: str
    machine: str
    instructions: str
    outcomes: Counter[str]

    def __str__(self) -> str:
        counts = ", ".join(f"{count} {outcome}" for outcome, count in self.outcomes.items())
        return f"replayed by {self.by} on {self.processor} ({self.instructions}): {counts or 'other results'}"


def write_last(root: Path, files: Sequence[Mapping[str, Any]], environment: Mapping[str, Any]) -> None:
    """Record the replay that has just ended.

    files: of each its path, outcome, and the sum of the artifact that it was compared with.
    environment: as provenance.collect has it.
    """
    folder = root / LAST
    folder.mkdir(parents=True, exist_ok=True)
    record = {"files": files, "environment": environment}
    (folder / RECORD).write_text(json.dumps(record, indent=1, sort_keys=True) + "\n")
    (folder / METADATA).write_bytes(_describe(folder / RECORD, files, environment))
    (folder / SUMS).write_bytes(records.format_sums(hash_files(folder, [RECORD, METADATA])))


def _describe(record: Path, files: Sequence[Mapping[str, Any]], environment: Mapping[str, Any]) -> bytes:
    """The record as a Process Run Crate, which states the verdict."""
    outcomes = Counter(file["outcome"] for file in files)
    verdict = "Replayed: " + ", ".join(f"{number} {outcome}" for outcome, number in outcomes.items())
    version, today = environment.get("commit") or "unknown", date.today().isoformat()
    entities = [
        crate.describe_file(RECORD, record.stat().st_size, hash_file(record)),
        {"@id": "#published", "@type": "CreativeWork", "name": f"What {records.SUMS} lists"},
        {
            "@id": "#replay",
            "@type": "SoftwareApplication",
            "name": "stages.reviewing.replay",
            "version": version,
        },
        crate.describe_action("#run", "#replay", verdict, ["#published"], [RECORD]) | {"endTime": today},
    ]
    description = f"Every outcome, the machine and its settings; on {environment['machine']['cpu']}."
    return crate.render(verdict, today, entities, crate.OF_A_PROCESS, description=description)


def sign_last(root: Path, key: Path) -> Path:
    """Sign the record of the last replay and move it to the signed ones; its folder."""
    sums = root / LAST / SUMS
    signatures.sign(sums, key)
    signed = root / SIGNED / hashlib.sha256(sums.read_bytes()).hexdigest()[:12]
    signed.parent.mkdir(exist_ok=True)
    shutil.rmtree(signed, ignore_errors=True)  # of an equal replay on the same day
    return sums.parent.replace(signed)


def check_replays(root: Path, signers: Path) -> tuple[list[Replay], list[Fault]]:
    """The replays that someone known has signed, and what is wrong with the others."""
    published = {}
    with suppress(OSError, ValueError):  # a fault that `check` names
        published = records.read_sums(root / records.SUMS)
    replays: list[Replay] = []
    faults: list[Fault] = []
    for folder in sorted(f"{SIGNED}/{path.name}" for path in (root / SIGNED).glob("*") if path.is_dir()):
        signer = signatures.identify_signer(root, f"{folder}/{SUMS}", signers)
        if isinstance(signer, Fault):
            faults.append(signer)
        elif wrong := records.check_folder(root / folder, SUMS):
            faults += [fault._replace(path=f"{folder}/{fault.path}") for fault in wrong]
        else:
            replays.append(_read(root / folder / RECORD, signer, published))
    return replays, faults


def _read(path: Path, signer: str, published: Mapping[str, str]) -> Replay:
    """Counts leave out files that were published anew since."""
    record = json.loads(path.read_bytes())
    environment = record["environment"]
    outcomes = Counter(
        file["outcome"] for file in record["files"] if file["artifact"] == published.get(file["path"], "")
    )
    machine = {key: value for key, value in environment["machine"].items() if key != "system"}
    instructions = environment["threads"]["cpu_capability"]
    return Replay(signer, machine["cpu"], json.dumps(machine), instructions, outcomes)


def number(count: int, what: str) -> str:
    """`1 machine`, `2 machines`."""
    return f"{count} {what}{'s' * (count != 1)}"


def count(replays: Sequence[Replay]) -> str:
    """One line about those in which files that are published still came out again, and none differed."""
    good = [
        replay
        for replay in replays
        if set(replay.outcomes) - {"not measured"} and not replay.outcomes["different"]
    ]
    close = [replay for replay in good if not replay.outcomes["same conclusions"]]
    machines = {replay.machine for replay in close}
    instructions = {replay.instructions for replay in close}
    further = {replay.machine for replay in good} - machines
    told = []
    if close:
        said = f"reproduced on {number(len(machines), 'machine')}"
        said += f" with {number(len(instructions), 'instruction set')}"
        people = ", ".join(sorted({replay.by for replay in close}))
        told.append(f"{said} ({', '.join(sorted(instructions))}), by {people}")
    if further:
        told.append(f"the same conclusions on {number(len(further), 'further machine')}")
    return "; ".join(told) or "no signed replay reproduces it"

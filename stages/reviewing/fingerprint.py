"""The same bytes on any processor? Run the pipeline at scale smoke with `compute.reproducible: anywhere`.

Writes the sum of every file that comes out to reports/reproducible, with the processor, and compares it with
what other processors wrote there. Exit status 1 if one of them got other bytes from the same inputs.
"""

import hashlib
import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path

from stages.files import artifacts
from stages.files.hashing import hash_files, list_files
from stages.parameters import params
from stages.parameters.errors import InputError
from stages.reviewing import provenance
from stages.reviewing.comparison import DRAWN
from stages.reviewing.publish import refuse_uncommitted
from stages.reviewing.scratch import run_again
from stages.reviewing.selection import list_stages, select
from stages.running.command import exclusive, run
from stages.running.repository import open_repo, output_of

FOLDER = Path("reports/reproducible")
SCRATCH = Path(".dvc/tmp/fingerprint")
# flags of a processor that name its vector instructions
VECTORS = re.compile(r"sse\d?_?\d?|ssse3|fma|f16c|bmi\d|avx\w*|amx\w*|asimd\w*|sve\w*")


@dataclass(frozen=True)
class Fingerprint:
    """What came out on one processor. inputs: one sum of code, data, parameters and versions."""

    processor: str
    instructions: list[str]
    inputs: str
    files: dict[str, str]  # SHA-256 by path; not of pictures and pages, which are drawn from them


def take_fingerprint(root: Path) -> Fingerprint:
    """Run every stage of a plain `make repro` in a clone."""
    refuse_uncommitted(root)
    values = params.read(root / params.FILE)
    values |= {"scale": "smoke", "device": "cpu", "compute": values["compute"] | {"reproducible": "anywhere"}}
    here = provenance.collect(root, values)
    with open_repo(root) as repo:
        everything, chosen = list_stages(repo), select(repo, [])
    others = [stage for stage in everything if stage not in chosen]
    run_again(root, root / SCRATCH, chosen, others, [], here)
    files = [file for stage in chosen for out in stage.outs for file in list_files(root / SCRATCH / out)]
    paths = [file.relative_to(root / SCRATCH).as_posix() for file in files if file.suffix not in DRAWN]
    machine = here["machine"]
    return Fingerprint(
        machine["cpu"],
        [flag for flag in machine["flags"].split() if VECTORS.fullmatch(flag)],
        sum_inputs(root, [values, here["versions"]]),
        dict(sorted(hash_files(root / SCRATCH, paths).items())),
    )


def sum_inputs(root: Path, settings: object) -> str:
    """One sum of settings and of all that git holds of code, studies and data."""
    listed = output_of(
        "git", "-C", str(root), "ls-tree", "-r", "HEAD", "dvc.yaml", "stages", "studies", "data"
    )
    read = [line for line in (listed or "").splitlines() if not line.endswith((".lock", ".md", ".gitignore"))]
    return hashlib.sha256(json.dumps([read, settings], sort_keys=True, default=str).encode()).hexdigest()


def describe(mine: Fingerprint, other: Fingerprint) -> str:
    """One line about both."""
    different = sorted({path for path, _ in mine.files.items() ^ other.files.items()})
    if not different:
        return f"the same bytes of all {len(mine.files)} files on {mine.processor} and {other.processor}"
    why = ", where code, data, parameters or versions were others" if mine.inputs != other.inputs else ""
    return (
        f"{len(different)} of {len(mine.files)} files differ on {other.processor}{why}: first {different[0]}"
    )


def main(root: Path = Path()) -> None:
    with exclusive("fingerprint"):
        mine = take_fingerprint(root)
    own = root / FOLDER / f"{re.sub(r'[^a-z0-9]+', '_', mine.processor.lower()).strip('_')}.json"
    others = [Fingerprint(**artifacts.read_json(path)) for path in sorted((root / FOLDER).glob("*.json"))]
    artifacts.write_json(own, asdict(mine))
    print(f"{own}: {len(mine.files)} files", *(describe(mine, other) for other in others), sep="\n")
    if any(mine.inputs == other.inputs and mine.files != other.files for other in others):
        raise InputError("not the same bytes; the lines above say where")


if __name__ == "__main__":
    run(main)

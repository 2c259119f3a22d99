"""The same bytes on any processor? Run the pipeline at scale smoke with `compute.reproducible: anywhere`.

Writes the sum of every file that comes out to reports/reproducible, with the processor, and compares it with
what other processors wrote there. Exit status 1 if one of them got other bytes from the same inputs.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from stages.files import artifacts
from stages.files.hashing import hash_files, list_files
from stages.parameters import params
from stages.pipeline.cluster import list_workers
from stages.reviewing import pipeline, provenance, rerun
from stages.reviewing.comparison import DRAWN
from stages.reviewing.pipeline import Stage
from stages.running.command import exclusive, run

FOLDER = Path("reports/reproducible")
SCRATCH = Path("data/.fingerprint.part")
# flags of a processor that name its vector instructions
VECTORS = re.compile(r"sse\d?_?\d?|ssse3|fma|f16c|bmi\d|avx\w*|amx\w*|asimd\w*|sve\w*")


@dataclass(frozen=True)
class Fingerprint:
    """What came out on one processor. inputs: one sum of code, data, parameters and versions."""

    processor: str
    instructions: list[str]
    inputs: str
    files: dict[str, str]  # SHA-256 by path

    def compare(self, other: "Fingerprint") -> list[str]:
        """Paths of the files that are not the same on both."""
        return sorted({path for path, _ in self.files.items() ^ other.files.items()})


def take_fingerprint(root: Path) -> Fingerprint:
    """Run every stage of a plain `make repro` in a clean copy."""
    values = params.read(root / params.FILE)
    values |= {"scale": "smoke", "device": "cpu", "compute": values["compute"] | {"reproducible": "anywhere"}}
    stages = pipeline.select(pipeline.list_stages(root), [])
    here = provenance.collect(root, values)
    copy = root / SCRATCH
    rerun.prepare(root, copy, stages, here)
    for _ in rerun.run_stages(stages, copy, len(list_workers(params.from_values(values)))):
        pass
    machine = here["machine"]
    vectors = [flag for flag in machine["flags"].split() if VECTORS.fullmatch(flag)]
    inputs = sum_inputs(root, stages, [here["params"], here["versions"]])
    return Fingerprint(machine["cpu"], vectors, inputs, hash_results(copy, stages))


def sum_inputs(root: Path, stages: Sequence[Stage], settings: object) -> str:
    """One sum of the stages' commands, of what they read, and of the settings."""
    commands = [[stage.name, stage.cmd] for stage in stages]
    files = hash_files(root, [path for path in rerun.list_inputs(root, stages) if path != params.FILE])
    described = json.dumps([commands, settings, files], sort_keys=True, default=str)
    return hashlib.sha256(described.encode()).hexdigest()


def hash_results(root: Path, stages: Sequence[Stage]) -> dict[str, str]:
    """Of all data, trained weights and tables; not of pictures and pages, which are drawn from them."""
    files = [file for stage in stages for out in stage.outs for file in list_files(root / out)]
    paths = [file.relative_to(root).as_posix() for file in files if file.suffix not in DRAWN]
    return dict(sorted(hash_files(root, paths).items()))


def name_file(processor: str) -> Path:
    """Where the fingerprint of a processor lies."""
    return FOLDER / f"{re.sub(r'[^a-z0-9]+', '_', processor.lower()).strip('_')}.json"


def describe(mine: Fingerprint, other: Fingerprint) -> str:
    """One line about both."""
    if not (different := mine.compare(other)):
        return f"the same bytes of all {len(mine.files)} files on {mine.processor} and {other.processor}"
    why = ", where code, data, parameters or versions were others" if mine.inputs != other.inputs else ""
    return (
        f"{len(different)} of {len(mine.files)} files differ on {other.processor}{why}: first {different[0]}"
    )


def main(root: Path = Path()) -> None:
    with exclusive("fingerprint"):
        mine = take_fingerprint(root)
    own = root / name_file(mine.processor)
    others = [Fingerprint(**artifacts.read_json(path)) for path in sorted((root / FOLDER).glob("*.json"))]
    artifacts.write_json(own, asdict(mine))
    print(f"{own}: {len(mine.files)} files")
    for other in others:
        print(describe(mine, other))
    if any(mine.inputs == other.inputs and mine.compare(other) for other in others):
        raise ValueError("not the same bytes; the lines above say where")


if __name__ == "__main__":
    run(main)

"""Write one archive of what was published: git's history, dvc's objects, reports, and how each came about.

It is a zip with sums of its own in SHA256SUMS, and an RO-Crate; `make pull FROM=...` reads it.
"""

import shutil
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from stages.files.artifacts import read_json, write_atomically
from stages.files.hashing import hash_file
from stages.reviewing import crate, objects, records, signatures, verify
from stages.reviewing.crate import Run
from stages.reviewing.publish import refuse_faults, refuse_uncommitted
from stages.reviewing.unpack import SUMS
from stages.running.command import run
from stages.running.repository import open_repo, output_of

BUNDLE = "code.bundle"
# of git's files what one reads first; all of them are in the bundle
PLAIN = (
    *("reports", ".zenodo.json", "CITATION.cff", "LICENSE", "README.md", "requirements.lock"),
    *("allowed_signers", "dvc.yaml", "params.yaml"),
)


def write_archive(root: Path, path: Path, key: Path | None = None) -> None:
    """Write to `path` what was published at `root`; the same commit gives the same bytes.

    key: an ssh key that signs the archive's sums. ValueError: something is not committed, was not published,
    or is not in dvc's cache.
    """
    refuse_uncommitted(root)
    with open_repo(root) as repo:
        cache = Path(repo.cache.local.path).parents[1]
    outputs = objects.read_outputs(root)
    refuse_faults(verify.check(root, ["reports"]) + objects.check_objects(cache, outputs))
    located = objects.locate(cache, outputs)
    members = {name: root / name for name in _git(root, "ls-files", "-z", *PLAIN).split("\0") if name}
    members |= {name: cache / name for name in located.values()}
    with TemporaryDirectory() as folder:
        members[BUNDLE] = Path(folder, BUNDLE)
        bundle_history(root, members[BUNDLE])
        metadata = describe(root, members, located, outputs)
        members[crate.METADATA] = Path(folder, crate.METADATA)
        members[crate.METADATA].write_bytes(metadata)
        sums = records.format_sums(hash_members(members))
        members[SUMS] = Path(folder, SUMS)
        members[SUMS].write_bytes(sums)
        if key:
            signatures.sign(members[SUMS], key)
            members[f"{SUMS}.sig"] = signatures.signature_of(members[SUMS])
        with write_atomically(path) as beside:
            zip_files(members, beside)


def bundle_history(root: Path, path: Path) -> None:
    """Write git's history to one file, in the same bytes however git has packed it here."""
    with TemporaryDirectory() as folder:
        _git(root, "clone", "-q", "--bare", "--no-hardlinks", str(root), folder)
        # packed anew, by one thread: several may pack the same history in other bytes
        one_thread = ("-c", "pack.threads=1")
        _git(Path(folder), *one_thread, "repack", "-a", "-d", "-F", "-q")
        branch = _git(root, "branch", "--show-current").split()
        _git(Path(folder), *one_thread, "bundle", "create", "-q", str(path), "HEAD", *branch, "--tags")


def describe(
    root: Path, members: Mapping[str, Path], located: Mapping[str, str], outputs: Mapping[str, str]
) -> bytes:
    """The archive as a Provenance Run Crate: its files, and of every stage what it read and wrote.

    located: the member that holds each of dvc's files. outputs: md5 by path, as objects.read_outputs has it.
    """
    record = read_json(root / records.PROVENANCE)
    sha256 = hash_members(members)
    names: dict[str, list[str]] = {}
    for path, member in sorted(located.items()):
        names.setdefault(member, []).append(path)
    entities = [
        crate.describe_file(member, path.stat().st_size, sha256[member], names.get(member, []))
        for member, path in sorted(members.items())
        if member != crate.WORKFLOW
    ]
    plain = {path: path for path in members if path.startswith("reports/")}
    for out, md5 in sorted(outputs.items()):
        if md5.endswith(".dir"):
            inside = {member for path, member in {**located, **plain}.items() if path.startswith(f"{out}/")}
            entities.append(crate.describe_folder(out, sorted(inside)))
    runs = list_runs(root, located, outputs, record["wall_s"])
    entities += crate.describe_workflow(runs, record["versions"]["dvc"])
    words = _git(root, "log", "-1", "--format=%H %cs").split()
    title = f"Positional encodings, reproducibly: scale {record['scale']}"
    return crate.render(
        title,
        words[1],
        entities,
        crate.OF_A_WORKFLOW,
        mainEntity=crate.refer(crate.WORKFLOW)[0],
        description=f"Commit {words[0]}: results, what made them, and from what.",
        version=words[0],
    )


def list_runs(
    root: Path, located: Mapping[str, str], outputs: Mapping[str, str], wall_s: Mapping[str, float | None]
) -> list[Run]:
    """Every published stage, with the entities of dvc's outputs that it read and of those it wrote."""
    left_out = records.read_left_out(root)
    entity = {out: f"#{out}" if outputs[out].endswith(".dir") else located.get(out, out) for out in outputs}
    runs = []
    for lock in objects.list_locks(root):
        file = lock.with_suffix(".yaml").relative_to(root).as_posix()
        for name, stage in objects.read_lock(lock).items():
            stage_name = f"{file}:{name}".removeprefix(f"{crate.WORKFLOW}:")
            if stage_name not in left_out:
                deps = [dep["path"] for dep in stage.get("deps", [])]
                inside = {out for out in outputs if records.is_within_any(out, deps)}
                around = {out for dep in deps for out in outputs if records.is_within_any(dep, [out])}
                read = {entity[out] for out in inside | around}
                wrote = [entity[out["path"]] for out in stage.get("outs", [])]
                runs.append(Run(stage_name, stage["cmd"], wall_s.get(stage["cmd"]), sorted(read), wrote))
    return runs


def hash_members(members: Mapping[str, Path]) -> dict[str, str]:
    """SHA-256 of each file of an archive, by its name there."""
    return {name: hash_file(path) for name, path in members.items()}


def zip_files(members: Mapping[str, Path], path: Path) -> None:
    """Without times and in order, so that equal files give equal bytes."""
    with ZipFile(path, "w") as archive:
        for name in sorted(members):
            entry = ZipInfo(name)
            entry.compress_type = ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            with members[name].open("rb") as file, archive.open(entry, "w", force_zip64=True) as packed:
                shutil.copyfileobj(file, packed)


def _git(root: Path, *arguments: str) -> str:
    """What git prints; ValueError where it fails."""
    printed = output_of("git", "-C", str(root), *arguments)
    if printed is None:
        raise ValueError(f"git {arguments[0]} failed in {root.resolve()}; mend that and try again")
    return printed


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path, help="of the zip to write")
    parser.add_argument("--sign", type=Path, metavar="KEY", help="an ssh key that signs the archive's sums")
    arguments = parser.parse_args()
    write_archive(Path(), arguments.path, arguments.sign)
    print(f"{arguments.path}: {arguments.path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    run(main)

"""Publish the committed results: sums and provenance to reports/, their bytes and the run cache to a remote.

The two files describe the commit they are written on, so they are committed after it and count as no change;
publishing twice writes the same. Nothing is pushed unless everything is committed, up to date and whole.
"""

from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path

import yaml

from stages.files import artifacts
from stages.files.hashing import hash_files
from stages.reviewing import provenance, records, verify
from stages.reviewing.verify import Fault
from stages.running.command import run
from stages.running.repository import open_repo, output_of

DECLARED = ("dvc.lock", "dvc.yaml", "params.yaml", "stages/**/dvc.lock", "stages/**/dvc.yaml")


def publish(root: Path, remote: str) -> int:
    """Publish the project at `root` to the remote of that name, URL or folder; number of files sent there.

    ValueError: a change is not committed, dvc.lock is stale, a file or an object of the cache is not as
    dvc.lock has it, or the remote cannot be written.
    """
    refuse_uncommitted(root)
    # a remote without a name is configured for this once
    url = remote if "://" in remote else str(Path(remote).resolve())
    with open_repo(root, {"remote": {remote: {"url": url}} if "/" in remote else {}}) as repo:
        pipelines = [str(path.with_suffix(".yaml").resolve()) for path in records.list_locks(root)]
        states = repo.status(pipelines)
        never_run = find_never_run(root, states)
        if stale := [name for name in states if name not in never_run]:
            raise ValueError(f"{stale[0]}: dvc.lock is not up to date with it; run `dvc repro`")
        if never_run:
            print(f"left out, as they were not run: {', '.join(never_run)}")
        artifacts.write_json(root / provenance.PROVENANCE, provenance.collect(root))
        sha256 = sorted(hash_files(root, list_published(root)).items())
        lines = "".join(f"{digest}  {path}\n" for path, digest in sha256)
        artifacts.write_bytes(root / records.SUMS, lines.encode())
        outputs = records.read_all_outputs(root)
        cache = Path(repo.cache.local.path).parents[1]
        refuse_faults(verify.check(root) + verify.check_objects(cache, outputs))
        sent = repo.push(remote=remote, run_cache=True)
        target = repo.cloud.get_remote_odb(remote)
        if target.fs.protocol == "local":  # dvc takes what is there already for good
            refuse_faults(verify.check_objects(Path(target.path).parents[1], outputs))
    return int(sent)


def find_never_run(root: Path, names: Iterable[str]) -> list[str]:
    """Those in pipelines apart that no dvc.lock records: the others can be published without them.

    names: as dvc has them, with their dvc.yaml as seen from where this process runs.
    """
    tasks, never_run = (root / "stages/tasks").resolve(), []
    for name in names:
        file, _, stage = name.rpartition(":")
        lock = Path(file or "dvc.yaml").resolve().with_suffix(".lock")
        apart = lock.parent != root.resolve() and not lock.is_relative_to(tasks)
        if apart and not (lock.is_file() and stage in yaml.safe_load(lock.read_text())["stages"]):
            never_run.append(name)
    return never_run


def refuse_uncommitted(root: Path) -> None:
    """ValueError unless git holds everything but the two files that are written here."""
    status = output_of("git", "-C", str(root), "status", "--porcelain", *provenance.ALL_BUT_PUBLISHED)
    if status is None:
        raise ValueError(f"{root.resolve()} is not a git checkout; publish from one, for its commit")
    if status:
        raise ValueError(f"{status.splitlines()[0][3:]} is not committed; commit it, then publish")


def refuse_faults(faults: list[Fault]) -> None:
    """ValueError if there are any, with the first; a file too many, as a killed pull leaves, is none."""
    if faults := [fault for fault in faults if fault.kind != "unexpected"]:
        raise ValueError(f"{faults[0]}, one of {len(faults)}; restore it, or `dvc repro -f` what made it")


def list_published(root: Path) -> set[str]:
    """dvc's outputs, what git holds beside them, and dvc's own files."""
    in_git = output_of("git", "-C", str(root), "ls-files", "-z", *records.FOLDERS, *DECLARED) or ""
    outputs, results = records.read_all_outputs(root), records.list_results(root)
    of_dvc = {path for path in results if any(verify.is_within(path, out) for out in outputs)}
    return (of_dvc | {*in_git.split("\0"), provenance.PROVENANCE}) - {records.SUMS, ""}


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("remote", help="name of a remote, URL, or folder")
    remote = parser.parse_args().remote
    sent = publish(Path(), remote)
    files = " ".join(provenance.PUBLISHED)
    print(f"{sent} files sent to {remote}. Now: git add {files} && git commit && git tag -a")


if __name__ == "__main__":
    run(main)

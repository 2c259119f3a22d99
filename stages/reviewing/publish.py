"""Publish the committed results: sums and provenance to reports/, their bytes and the run cache to a remote.

The two files describe the commit they are written on, so they are committed after it and count as no change;
publishing twice writes the same. Nothing is pushed unless everything is committed, up to date and whole.
"""

import subprocess
from argparse import ArgumentParser
from pathlib import Path

from dvc.exceptions import DvcException
from dvc.repo import Repo

from stages.files import artifacts
from stages.reviewing import hashing, lock, provenance, store, sums, workspace
from stages.reviewing.workspace import Fault
from stages.running.command import run


def publish(root: Path, remote: str) -> int:
    """Publish the project at `root` to the remote of that name, URL or folder; number of files sent there.

    ValueError: a change is not committed, dvc.lock is stale, a file or an object of the cache is not as
    dvc.lock has it, or the remote cannot be written.
    """
    refuse_uncommitted(root)
    try:
        with Repo(str(root), config={"remote": given(remote)}) as repo:
            if stale := repo.status([str(root / one) for one in lock.pipelines(root)]):
                raise ValueError(f"{next(iter(stale))}: dvc.lock is not up to date with it; run `dvc repro`")
            artifacts.write_json(root / provenance.PROVENANCE, provenance.collect(root))
            artifacts.write_bytes(root / sums.SUMS, sums.lines(published(root)).encode())
            outputs = lock.all_outputs(root)
            refuse(workspace.check(root))
            refuse(store.check(Path(repo.cache.local.path).parents[1], outputs))
            sent = repo.push(remote=remote, run_cache=True)
            target = repo.cloud.get_remote_odb(remote)
            if target.fs.protocol == "local":  # dvc takes what is there already for good
                refuse(store.check(Path(target.path).parents[1], outputs))
    except DvcException as error:
        raise ValueError(f"{remote}: {error}; mend that and publish again") from None
    return int(sent)


def refuse_uncommitted(root: Path) -> None:
    """ValueError unless git holds everything but the two files that are written here."""
    others = [f":(exclude){path}" for path in provenance.PUBLISHED]
    command = ["git", "-C", str(root), "status", "--porcelain", "--", ".", *others]
    status = subprocess.run(command, capture_output=True, text=True)
    if status.returncode:
        raise ValueError(f"{root.resolve()} is not a git checkout; publish from one, for its commit")
    if changed := status.stdout.splitlines():
        raise ValueError(f"{changed[0][3:]} is not committed; commit it, then publish")


def refuse(faults: list[Fault]) -> None:
    """ValueError if there are any, with the first; a file too many, as a killed pull leaves, is none."""
    if faults := [one for one in faults if one.kind != "unexpected"]:
        raise ValueError(f"{faults[0]}, one of {len(faults)}; restore it, or `dvc repro -f` what made it")


def given(remote: str) -> dict[str, dict[str, str]]:
    """A URL or folder, which has a slash, as a remote of that very name; of a configured remote nothing."""
    if "/" not in remote:
        return {}
    return {remote: {"url": remote if "://" in remote else str(Path(remote).resolve())}}


def published(root: Path) -> list[tuple[str, sums.Sum]]:
    """Sums of dvc's outputs and of what git holds beside them, with dvc's own files."""
    command = ["git", "-C", str(root), "ls-files", "-z", *sums.FOLDERS, *sums.DECLARED]
    in_git = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0")
    outputs = lock.all_outputs(root)
    of_dvc = {path for path in sums.found(root) if any(workspace.within(path, out) for out in outputs)}
    paths = (of_dvc | {*in_git, provenance.PROVENANCE}) - {sums.SUMS, ""}
    (sha256,) = hashing.digests(root, paths, "sha256")
    return [(path, sums.Sum(value, (root / path).stat().st_size)) for path, value in sha256.items()]


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("remote", help="name of a remote, URL, or folder")
    remote = parser.parse_args().remote
    sent = publish(Path(), remote)
    files = " ".join(provenance.PUBLISHED)
    print(f"{sent} files sent to {remote}. Now: git add {files} && git commit && git tag -a")


if __name__ == "__main__":
    run(main)

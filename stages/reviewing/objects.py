"""Find what dvc keeps of the project, and the objects that hold it in a cache or remote."""

from collections.abc import Mapping
from pathlib import Path

from dvc.repo import Repo

from stages.core.settings.errors import InputError
from stages.files.hashing import hash_files
from stages.reviewing.sums import is_within
from stages.running.cache import place
from stages.running.listings import read_listing


def list_outputs(repo: Repo) -> dict[str, str]:
    """List the md5 of every output that dvc keeps, by its path; of a folder that of its listing, .dir."""
    root = Path(repo.root_dir)
    kept = [out for out in repo.index.outs if out.use_cache and out.hash_info]
    return {Path(out.fs_path).relative_to(root).as_posix(): str(out.hash_info.value) for out in kept}


def list_published(repo: Repo, sums: Mapping[str, str]) -> dict[str, str]:
    """List the outputs of which sums were published; all others were withheld."""
    outputs = list_outputs(repo)
    return {out: md5 for out, md5 in outputs.items() if any(is_within(path, [out]) for path in sums)}


def locate(folder: Path, outputs: Mapping[str, str]) -> dict[str, str]:
    """Find the object of each file of outputs in a cache or remote. ListingError for an altered listing."""
    located = {}
    for out, md5 in outputs.items():
        listing = folder / place(md5)
        if not md5.endswith(".dir"):
            located[out] = place(md5)
        elif listing.is_file():
            entries = read_listing(md5, listing.read_bytes())
            located |= {f"{out}/{entry['relpath']}": place(entry["md5"]) for entry in entries}
    return located


def refuse_damaged(folder: Path, outputs: Mapping[str, str]) -> None:
    """Raise InputError unless `folder`, a cache or remote, holds all objects of outputs, each whole."""
    listings = {out: place(md5) for out, md5 in outputs.items()}
    needed = {name: path for path, name in (listings | locate(folder, outputs)).items()}
    found = hash_files(folder, needed, "md5")
    wrong = [name for name in sorted(needed) if place(found.get(name, "")) != name.removesuffix(".dir")]
    if wrong:
        kind, cure = "missing", "`make pull` or `make repro` brings it"
        if wrong[0] in found:
            kind, cure = "altered", f"delete it and run `dvc commit {needed[wrong[0]]}`"
        raise InputError(f"{kind}: {folder / wrong[0]} of {needed[wrong[0]]}, one of {len(wrong)}; {cure}")

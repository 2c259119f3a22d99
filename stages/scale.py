"""Copy the project to scales/<scale>, where it runs at another scale than that of params.yaml.

The copy has data, reports and lock files of its own, and shares dvc's cache and the finished cells beside it.
"""

import shutil
from collections.abc import Mapping
from pathlib import Path

from configobj import ConfigObj
from dvc.utils.serialize import modify_yaml

from stages.core.settings.errors import InputError, one_of
from stages.files.artifacts import read_json, write_json
from stages.files.hashing import hash_files
from stages.parameters import params
from stages.reporting.readme import README, insert_block, read_block
from stages.running.cache import cache_of
from stages.running.git import list_tracked

SCALES = Path("scales")
OWN = Path("own")  # a researcher's files, also those that git ignores
LOCKS = ("dvc.lock", "studies/dvc.lock")
MADE = ("data/", "reports/", *LOCKS)  # by stages: each scale has its own
KEPT = ("data/reference/", "data/README.md", "data/.gitignore")  # of these all the same
BROUGHT = Path(".dvc/tmp/copied.json")  # in the copy: digests of the files that came from the checkout
WRITTEN = ("README.md", "studies/dvc.yaml")  # by stages in the copy, too


def copy_at_scale(root: Path, scale: str) -> None:
    """Make scales/SCALE what the project is now, but for its scale and what stages make there."""
    settings = params.load(root / params.FILE)
    if scale not in settings.scales:
        raise InputError(f"SCALE '{scale}' is not known; expected {one_of(scale, settings.scales)}")
    folder, files = root / SCALES / scale, list_inputs(root)
    claims = read_block(folder) if (folder / README).is_file() else ""
    brought = read_json(folder / BROUGHT) if (folder / BROUGHT).is_file() else {}
    refuse_edits(root, folder, brought)
    for file in files:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(root / file, folder / file)
    if README.as_posix() in files:
        insert_block(folder, claims or "\n")  # the scale's own; those of the checkout are not
    with modify_yaml(str(folder / params.FILE)) as values:
        values["scale"] = scale
    for lock in (folder / name for name in LOCKS):
        if lock.is_file() and not lock.stat().st_size:  # as dvc was killed
            lock.unlink()
    for gone in brought.keys() - set(files):
        (folder / gone).unlink(missing_ok=True)
    write_json(folder / BROUGHT, hash_files(folder, files))
    with (folder / ".dvc/config.local").open("wb") as config:
        cache = str(cache_of(root).resolve())
        ConfigObj({"core": {"no_scm": "true"}, "cache": {"dir": cache}}, encoding="utf-8").write(config)


def refuse_edits(root: Path, folder: Path, brought: Mapping[str, str]) -> None:
    """Raise InputError for a file that somebody edited in the copy, which the next copy would undo."""
    files = [file for file in brought if file not in WRITTEN]
    now, source = hash_files(folder, files), hash_files(root, files)
    for file, digest in now.items():
        if digest not in (brought[file], source.get(file)):
            raise InputError(
                f"{folder / file} was edited, but each run makes it anew from {file}; edit that, and delete "
                f"{folder / file}"
            )


def list_inputs(root: Path) -> list[str]:
    """List the files of the project that no stage makes: all that git does not ignore, and the user's own.

    Raises InputError without git.
    """
    listed = list_tracked(root, "--cached", "--others", "--exclude-standard")
    if not listed:
        raise InputError("SCALE given in a folder without git; set `scale` in params.yaml instead")
    own = [path.relative_to(root).as_posix() for path in (root / OWN).rglob("*")]
    known = [name for name in listed if name.startswith(KEPT) or not name.startswith(MADE)]
    return [name for name in dict.fromkeys([*known, *own]) if (root / name).is_file()]

"""The project at another scale than the one in params.yaml: a folder of its own, scales/<scale>.

Nothing of the checkout's results changes. The folder shares dvc's cache with the checkout, and keeps its own
data, reports and lock files from run to run.
"""

import os
import re
from pathlib import Path

from stages.files.artifacts import write_bytes
from stages.parameters import params
from stages.parameters.errors import InputError, one_of
from stages.pipeline.working_copy import SCALES, copy_file, list_files, share_cache
from stages.running.repository import open_repo

BROUGHT = Path(".dvc/tmp/brought")  # in the folder: the files that came from the checkout


def choose_folder(root: Path, scale: str | None) -> Path:
    """Where the project runs at a scale: the checkout itself at its own, or if none is asked for."""
    settings = params.load(root / params.FILE)
    if scale is None or scale == settings.scale:
        return root
    if scale not in settings.scales:
        raise InputError(f"SCALE '{scale}' is not known; expected {one_of(scale, settings.scales)}")
    return root / SCALES / scale


def bring_checkout(root: Path, folder: Path) -> None:
    """Make the folder what the checkout is now, but for its scale and for what stages make in either.

    Lock files come once: results that are the same at every scale are known to the folder by them.
    """
    with open_repo(root) as repo:
        made = {Path(out.fs_path).relative_to(root) for out in repo.index.outs if out.is_in_repo}
        files = [path for path in list_files(repo) if made.isdisjoint([path, *path.parents])]
        share_cache(repo, folder)
    for path in files:
        if path.name != "dvc.lock" or not (folder / path).exists():
            copy_file(root / path, folder / path)
    text = (root / params.FILE).read_text(encoding="utf-8")
    text = re.sub(r"(?m)^scale:[^\n#]*?(?=\s*(#|$))", f"scale: {folder.name}", text)
    write_bytes(folder / params.FILE, text.encode())
    brought = folder / BROUGHT
    before = os.fsdecode(brought.read_bytes()).split("\0") if brought.exists() else []
    for gone in set(before) - {*map(str, files), ""}:
        (folder / gone).unlink(missing_ok=True)
    brought.parent.mkdir(exist_ok=True)
    write_bytes(brought, os.fsencode("\0".join(map(str, files))))

"""The copy of a checkout in which a run works: an edit of the checkout meanwhile reaches no stage that runs.

The copy has a dvc of its own that shares the checkout's cache, so that data come and go as links.
"""

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any

from dvc.dependency import param
from dvc.repo import Repo

from stages.files.cells import KERNELS
from stages.pipeline.plan import Plan
from stages.running.repository import output_of

COPY = Path(".dvc/tmp/running/copy")
LEFT_OUT = (".git", ".venv", ".dvc/tmp", ".dvc/cache", str(KERNELS))
UNFINISHED = ("data/.variations", "data/**/.*.checkpoint.part")  # what stages go on from
CONFIG = """[core]
    no_scm = true
[cache]
    dir = {cache}
    type = "reflink,hardlink,copy"
"""


def copy_checkout(repo: Repo, plan: Plan) -> Path:
    """Make the copy anew, without what stages make; what they left unfinished is taken over."""
    root = Path(repo.root_dir)
    copy = root / COPY
    last, taken = copy.with_name("last"), copy.with_name("taken")  # taken: what is left of a last one
    if last.exists():  # that run ended before it had taken over
        shutil.rmtree(copy, ignore_errors=True)
    elif copy.exists():
        copy.rename(last)
    for path in _list_files(root, [Path(out.fs_path) for out in repo.index.outs if out.use_cache]):
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(root / path, copy / path)
    (root / KERNELS).mkdir(exist_ok=True)
    (copy / KERNELS).symlink_to(root / KERNELS)
    cache = Path(repo.cache.local.path).parents[1]
    (copy / ".dvc/config.local").write_text(CONFIG.format(cache=cache))
    for source in (last, root):
        for left in [path for pattern in UNFINISHED for path in source.glob(pattern)]:
            here = copy / left.relative_to(source)
            here.parent.mkdir(parents=True, exist_ok=True)
            if not here.exists():
                if left.is_dir():
                    shutil.copytree(left, here, symlinks=True)  # links may lead to what is not there yet
                else:
                    shutil.copy2(left, here)
    shutil.rmtree(taken, ignore_errors=True)
    if last.exists():
        last.rename(taken)  # at once: a last one is whole
        shutil.rmtree(taken)
    folders = {Path(dep.fs_path) for name in plan.stale for dep in plan.stages[name].deps}
    for path in _find_rest(folders, [Path(out.fs_path) for out in repo.index.outs]):
        here = copy / path.relative_to(root)
        if not here.exists():
            here.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, here)
    return copy


@contextmanager
def read_parameters_once() -> Iterator[None]:
    """Inside it dvc reads params.yaml once, not six times a stage: in a working copy it does not change."""
    files: dict[str, Any] = {}
    values: dict[tuple[Any, ...], Any] = {}

    def load_once(path: str, fs: object) -> Any:
        if path not in files:
            files[path] = load(path, fs)
        return files[path]

    def select_once(fs: object, path: str, keys: Sequence[str] = (), flatten: bool = False) -> Any:
        key = (path, tuple(keys), flatten)
        if key not in values:
            values[key] = select(fs, path, keys, flatten)
        return deepcopy(values[key])

    load, select = param.load_path, param.read_param_file
    param.load_path, param.read_param_file = load_once, select_once
    try:
        yield
    finally:
        param.load_path, param.read_param_file = load, select


def _list_files(root: Path, outs: Iterable[Path]) -> list[Path]:
    """Files of the checkout, relative to it: what git does not ignore; without git all but what is made."""
    listed = output_of("git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    if listed is not None:
        return [Path(name) for name in listed.split("\0") if (root / name).is_file()]
    left_out = {str(root / name) for name in LEFT_OUT} | {str(out) for out in outs}
    files = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if str(Path(folder, name)) not in left_out]
        files += [Path(folder, name) for name in names if str(Path(folder, name)) not in left_out]
    return [path.relative_to(root) for path in files]


def _find_rest(folders: Iterable[Path], outs: Sequence[Path]) -> Iterator[Path]:
    """Files in folders that hold what stages make, which no stage makes; dvc hashes them with the folder."""
    for folder in folders:
        made = [out for out in outs if folder in out.parents]
        if made and folder.is_dir():
            for path in folder.rglob("*"):
                if path.is_file() and path.suffix != ".part" and not any(map(path.is_relative_to, made)):
                    yield path

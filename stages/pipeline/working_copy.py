"""Copies of a checkout. Each has a dvc of its own that shares the checkout's cache.

A run works in one, so that an edit of the checkout meanwhile reaches no stage that runs; data come and go as
links. The project at another scale than that in params.yaml is one, scales/<scale>, which keeps its own data,
reports and lock files from run to run.
"""

import os
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any

from dvc.dependency import param
from dvc.repo import Repo

from stages.files.artifacts import write_bytes
from stages.files.cells import KERNELS
from stages.parameters import params
from stages.parameters.errors import InputError, one_of
from stages.pipeline.plan import Plan
from stages.running.repository import cache_of, list_tracked, open_repo
from stages.studies.tables import REPORTS

COPY = Path(".dvc/tmp/running/copy")
SCALES = Path("scales")  # projects of their own
BROUGHT = Path(".dvc/tmp/brought")  # in such a folder: the files that came from the checkout
LEFT_OUT = (".git", ".venv", ".dvc/tmp", ".dvc/cache", "data/scores", "data/studies", SCALES, KERNELS)
CHECKPOINTS = "data/**/.*.checkpoint.part"
CONFIG = """[core]
    no_scm = true
[cache]
    dir = "{cache}"
"""
LINKED = '    type = "reflink,hardlink,copy"\n'  # nobody edits what lies in a copy


def copy_checkout(repo: Repo, plan: Plan) -> Path:
    """Make the copy anew, without what stages make; checkpoints that they left move over."""
    root = Path(repo.root_dir)
    copy = root / COPY
    _move_checkpoints(copy, root)
    shutil.rmtree(copy, ignore_errors=True)
    for path in list_files(repo):
        copy_file(root / path, copy / path)
    (root / KERNELS).mkdir(exist_ok=True)
    (copy / KERNELS).symlink_to(root / KERNELS)
    share_cache(repo, copy, LINKED)
    _move_checkpoints(root, copy)
    folders = {Path(dep.fs_path) for name in plan.stale for dep in plan.stages[name].deps}
    for path in _find_rest(folders, [Path(out.fs_path) for out in repo.index.outs]):
        copy_file(path, copy / path.relative_to(root))
    return copy


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

    `reports/studies` is passed over as a whole, as dvc here does not list what hidden studies make.

    Lock files come once: results that are the same at every scale are known to the folder by them.
    """
    with open_repo(root) as repo:
        made = {Path(out.fs_path).relative_to(root) for out in repo.index.outs if out.is_in_repo}
        made.add(REPORTS)
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


def share_cache(repo: Repo, folder: Path, options: str = "") -> None:
    """Give another folder's dvc the cache of this one, and no git."""
    (folder / ".dvc").mkdir(parents=True, exist_ok=True)
    # relative: what is special in such a file may stand in the checkout's own path
    cache = os.path.relpath(cache_of(repo), (folder / ".dvc").resolve())
    (folder / ".dvc/config.local").write_text(CONFIG.format(cache=cache) + options, encoding="utf-8")


def list_files(repo: Repo) -> list[Path]:
    """Files of a checkout, relative to it: what git does not ignore; without git all but what is cached."""
    root = Path(repo.root_dir)
    if not repo.config["core"].get("no_scm"):
        names = list_tracked(root, "--cached", "--others", "--exclude-standard")
        return [Path(name) for name in names if (root / name).is_file()]
    left_out = {str(root / name) for name in LEFT_OUT}
    left_out |= {out.fs_path for out in repo.index.outs if out.use_cache}
    files = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if str(Path(folder, name)) not in left_out]
        files += [Path(folder, name) for name in names if str(Path(folder, name)) not in left_out]
    return [path.relative_to(root) for path in files]


@contextmanager
def read_parameters_once() -> Iterator[None]:
    """Inside it dvc reads params.yaml once, not up to six times a stage.

    ASSUME that it does not change: a working copy's never does, a checkout's not while a run is planned.
    """
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


def copy_file(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, target)


def _move_checkpoints(source: Path, target: Path) -> None:
    """What interrupted stages go on from; a kill in between leaves each in one of the two."""
    for path in source.glob(CHECKPOINTS):
        here = target / path.relative_to(source)
        here.parent.mkdir(parents=True, exist_ok=True)
        path.replace(here)


def _find_rest(folders: Iterable[Path], outs: Sequence[Path]) -> Iterator[Path]:
    """Files in folders that hold what stages make, which no stage makes; dvc hashes them with the folder."""
    for folder in folders:
        made = [out for out in outs if folder in out.parents]
        if made and folder.is_dir():
            for path in folder.rglob("*"):
                if path.is_file() and path.suffix != ".part" and not any(map(path.is_relative_to, made)):
                    yield path

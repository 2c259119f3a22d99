"""Copies of a checkout. Each has a dvc of its own that shares the checkout's cache.

A run works in one, so that an edit of the checkout meanwhile reaches no stage that runs; data come and go as
links. The project at another scale than that in params.yaml is one, scales/<scale>, which keeps its own data,
reports and lock files from run to run.
"""

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any

from configobj import ConfigObj
from dvc.dependency import ParamsDependency, param
from dvc.repo import Repo
from dvc.stage import PipelineStage
from dvc.utils.serialize import modify_yaml

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
LINKS = ["reflink", "hardlink", "copy"]  # nobody edits what lies in a copy


def copy_checkout(repo: Repo, plan: Plan) -> Path:
    """Make the copy anew, without what stages make; checkpoints that they left move over."""
    root = Path(repo.root_dir)
    copy = root / COPY
    _move_checkpoints(copy, root)
    shutil.rmtree(copy, ignore_errors=True)
    with read_parameters_once():
        inputs = find_inputs(repo, [plan.stages[name] for name in plan.stale])
    for path in {*list_files(repo), *inputs}:
        copy_file(root / path, copy / path)
    (root / KERNELS).mkdir(exist_ok=True)
    (copy / KERNELS).symlink_to(root / KERNELS)
    share_cache(repo, copy, type=LINKS)
    _move_checkpoints(root, copy)
    return copy


def choose_folder(root: Path, scale: str | None) -> Path:
    """Where the project runs at a scale: the checkout itself at its own, or if none is asked for."""
    settings = params.load(root / params.FILE)
    if scale is None or scale == settings.scale:
        return root
    if scale not in settings.scales:
        raise InputError(f"SCALE '{scale}' is not known; expected {one_of(scale, settings.scales)}")
    return root / SCALES / scale


def bring_checkout(root: Path, folder: Path, shown: str) -> None:
    """Make the folder what the checkout is now, but for its scale and for what stages make in either.

    shown: as the checkout is opened with it. `reports/studies` is passed over as a whole, as dvc here does
    not list what other hidden studies make.

    Lock files come once: results that are the same at every scale are known to the folder by them.
    """
    from stages.reporting.readme import README, insert_block, read_block  # scipy, which takes a second

    with open_repo(root, shown) as repo, read_parameters_once():
        made = {Path(out.fs_path).relative_to(root) for out in repo.index.outs if out.is_in_repo}
        made.add(REPORTS)
        files = {*list_files(repo), *find_inputs(repo, repo.index.stages)}
        files = {path for path in files if made.isdisjoint([path, *path.parents])}
        share_cache(repo, folder)
    claims = (read_block(folder) if (folder / README).is_file() else None) or "\n"
    for path in files:
        if path.name != "dvc.lock" or not (folder / path).exists():
            copy_file(root / path, folder / path)
    if README in files and read_block(folder) is not None:
        insert_block(folder, claims)  # the scale's own; those of the checkout are not
    with modify_yaml(str(folder / params.FILE)) as values:
        values["scale"] = folder.name
    brought = folder / BROUGHT
    before = os.fsdecode(brought.read_bytes()).split("\0") if brought.exists() else []
    for gone in set(before) - {*map(str, files), ""}:
        (folder / gone).unlink(missing_ok=True)
    brought.parent.mkdir(exist_ok=True)
    write_bytes(brought, os.fsencode("\0".join(map(str, files))))


def share_cache(repo: Repo, folder: Path, **cache: Any) -> None:
    """Give another folder's dvc the cache of this one, and no git; cache: further settings of it."""
    (folder / ".dvc").mkdir(parents=True, exist_ok=True)
    values = {"core": {"no_scm": True}, "cache": {"dir": str(cache_of(repo)), **cache}}
    with (folder / ".dvc/config.local").open("wb") as file:
        ConfigObj(values, encoding="utf-8").write(file)


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


def find_inputs(repo: Repo, stages: Iterable[PipelineStage]) -> set[Path]:
    """Files of a checkout that stages read and none makes, relative to it, also those that git ignores.

    Stages read their dependencies, as dvc sees them, and files of a researcher's own that parameters name.
    """
    root, made = Path(repo.root_dir), {Path(out.fs_path) for out in repo.index.outs}
    deps = [dep for stage in stages for dep in stage.deps]
    read = {dep.fs_path for dep in deps}
    for dep in deps:
        if isinstance(dep, ParamsDependency):
            read.update(list_texts(dep.read_params()))
    found = set[Path]()
    for path in {Path(os.path.normpath(root / text)) for text in read}:
        if root in path.parents and made.isdisjoint([path, *path.parents]):
            found |= {path} if os.path.isfile(path) else {*map(Path, repo.dvcignore.find(repo.fs, str(path)))}
    return {path.relative_to(root) for path in found if made.isdisjoint([path, *path.parents])}


def list_texts(value: Any) -> Iterator[str]:
    """Every text among the values of parameters, however deep it lies."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inside in value.values() if isinstance(value, dict) else value:
            yield from list_texts(inside)


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

"""The copy of a checkout in which a run works: an edit of the checkout meanwhile reaches no stage that runs.

The copy has a dvc of its own that shares the checkout's cache, so that data come and go as links.
"""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from dvc.repo import Repo
from dvc.stage import PipelineStage

from stages.pipeline.plan import Plan
from stages.running.repository import output_of

COPY = Path(".dvc/tmp/running/copy")
LEFT_OUT = (".git", ".venv", ".dvc/tmp", ".dvc/cache")
CHECKPOINTS = "data/**/.*.checkpoint.part"
CONFIG = """[core]
    no_scm = true
[cache]
    dir = {cache}
    type = "reflink,hardlink,copy"
"""


def copy_checkout(repo: Repo, plan: Plan) -> Path:
    """Make the copy anew, without what stages make; checkpoints of interrupted training are taken over."""
    root = Path(repo.root_dir)
    copy = root / COPY
    last = copy.with_name("last")
    if copy.exists():  # of a run that was ended
        shutil.rmtree(last, ignore_errors=True)
        copy.rename(last)
    for path in _list_files(root, [Path(out.fs_path) for out in repo.index.outs if out.use_cache]):
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(root / path, copy / path)
    cache = Path(repo.cache.local.path).parents[1]
    (copy / ".dvc/config.local").write_text(CONFIG.format(cache=cache))
    for source in (last, root):
        for checkpoint in source.glob(CHECKPOINTS):
            here = copy / checkpoint.relative_to(source)
            here.parent.mkdir(parents=True, exist_ok=True)
            if not here.exists():
                shutil.copy2(checkpoint, here)
    shutil.rmtree(last, ignore_errors=True)
    for name in plan.stale:
        _copy_rest(repo, copy, plan.stages[name])
    return copy


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


def _copy_rest(repo: Repo, copy: Path, stage: PipelineStage) -> None:
    """What lies in a folder that a stage depends on, but no stage makes."""
    root = Path(repo.root_dir)
    outs = [Path(out.fs_path) for out in repo.index.outs]
    for dep in stage.deps:
        folder = Path(dep.fs_path)
        if folder.is_dir() and any(folder in out.parents for out in outs):
            for path in folder.rglob("*"):
                here = copy / path.relative_to(root)
                made = any(out == path or out in path.parents for out in outs)
                if path.is_file() and not made and not here.exists() and not path.name.endswith(".part"):
                    here.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy2(path, here)

"""Bring what a run finished into the checkout: its outputs, and its entries in dvc's lock files."""

import shutil
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from dvc.repo import Repo
from dvc.stage import PipelineStage
from dvc.stage.serialize import to_lockfile
from dvc.utils.serialize import dumps_yaml, parse_yaml

from stages.files.artifacts import write_bytes
from stages.pipeline.plan import address


def record(checkout: Repo, finished: Sequence[PipelineStage]) -> None:
    """Write the outputs and lock entries of stages that the working copy's dvc has saved."""
    of_checkout = {address(stage): stage for stage in checkout.index.stages}
    by_lock = defaultdict(list)
    with checkout.lock:
        for stage in finished:
            own = of_checkout[address(stage)]
            check_out(own, stage)
            by_lock[own.path].append(stage)
        for path, stages in by_lock.items():
            declared = [own.name for own in of_checkout.values() if own.path == path]
            write_entries(Path(path).with_suffix(".lock"), stages, declared)


def check_out(own: PipelineStage, saved: PipelineStage) -> None:
    """Put a saved stage's outputs into the checkout, in place of what lies there."""
    for out, new in zip(own.outs, saved.outs, strict=True):
        here, source = Path(out.fs_path), Path(new.fs_path)
        if out.use_cache:
            out.hash_info, out.meta, out.obj = new.hash_info, new.meta, new.obj
            out.hash_name = new.hash_name  # of an output that the lock lacks dvc expects an old one
            out.checkout(force=True)
        elif source.is_dir():
            shutil.rmtree(here, ignore_errors=True)
            shutil.copytree(source, here)
        else:
            write_bytes(here, source.read_bytes())


def write_entries(path: Path, stages: Sequence[PipelineStage], declared: Sequence[str]) -> None:
    """Update one lock file, in one write: it is whole or as before.

    declared: names of all stages in the order of their dvc.yaml. The lock file keeps it, whichever stages
    ran and whichever ended first, so that it changes only where results do; others are left out.
    """
    before = path.read_bytes() if path.exists() else b""
    lock = parse_yaml(before.decode(), path) or {}
    lock.setdefault("schema", "2.0")
    entries = lock.setdefault("stages", {})
    for stage in stages:
        entries.update(to_lockfile(stage))
    lock["stages"] = {name: entries[name] for name in declared if name in entries}
    after = dumps_yaml(lock).encode()
    if after != before:
        write_bytes(path, after)

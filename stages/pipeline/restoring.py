"""Results that dvc has: brought back to their place in place of a run, or saved after one."""

from dvc.dependency import ParamsDependency
from dvc.stage import PipelineStage
from dvc.stage.cache import RunCacheNotFoundError


def name_missing(stage: PipelineStage) -> str | None:
    """What params.yaml says of an input that is not there."""
    given = {
        str(value): key
        for dep in stage.deps
        if isinstance(dep, ParamsDependency)
        for key, value in dep.read_params().items()
    }
    missing = [dep.def_path for dep in stage.deps if dep.def_path in given and not dep.exists]
    return (
        f"{given[missing[0]]}: {missing[0]} not found; correct the path in params.yaml" if missing else None
    )


def restore(stage: PipelineStage, needs: list[PipelineStage]) -> bool:
    """Whether a stage need not run, because dvc's cache has its results; they lie in their place then.

    needs: the stages it needs, whose outputs may be missing where nothing else is out of date.
    ASSUME dependencies and outputs are local, and outputs are removed before a run (no `persist`).
    """
    if all(out.hash_info and not (out.use_cache and out.changed_cache()) for out in stage.outs):
        stage.checkout()  # in a clone the cache is empty, and dvc fails at what it lacks
        here = all(out.exists for out in stage.outs)
        if here and not stage.changed(allow_missing=True, upstream=needs):
            return True
    stage.remove_outs(ignore_remove=False)
    try:
        stage.repo.stage_cache.restore(stage)
    except RunCacheNotFoundError:
        return False
    save(stage)
    return True


def save(stage: PipelineStage) -> None:
    """What dvc does after a run: hash what was written, note the run, put outputs into the cache.

    What was read is hashed by `restore`, and does not change in a working copy.
    """
    stage.save_outs()
    stage.md5 = stage.compute_md5()
    if all(out.use_cache or out.is_metric or out.is_plot for out in stage.outs):
        stage.repo.stage_cache.save(stage)
    stage.commit()

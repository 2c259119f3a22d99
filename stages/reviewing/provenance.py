"""Where the results come from: commit, parameters, versions, machine, settings, and seconds per command.

Hashes of what each stage read and wrote are in the dvc.lock of its pipeline.
"""

import os
import platform
import re
import subprocess
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import scipy.linalg  # noqa: F401  # loads scipy's own BLAS, so that every process lists the same
import torch
from threadpoolctl import threadpool_info

from stages.files import artifacts, cells
from stages.parameters import params
from stages.reviewing import objects, records
from stages.reviewing.deviation import leaves
from stages.running.repository import ask_git
from stages.running.wall_times import read_wall_times
from stages.training import device

# written by publish, about all the rest
PUBLISHED = (records.SUMS, records.PROVENANCE)
ALL_BUT_PUBLISHED = ("--", ".", *(f":(exclude){path}" for path in PUBLISHED))  # arguments of git
UNNAMED = ("dvc-data",)  # not in pyproject.toml, yet it decides bytes, of .dir files
NOT_COMPARED = ("left_out.", "wall_s.", "withheld.")  # decides no result


def collect(root: Path) -> dict[str, Any]:
    """Everything that the results under `root` depend on, as JSON values; what is not known is null."""
    values = params.read(root / params.FILE)
    parameters = params.from_values(dict(values))
    chosen = device.choose_device(parameters.device)
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    packages = {re.split(r"[^\w.-]", requirement)[0] for requirement in project["dependencies"]}
    return {
        "commit": last_commit(root),
        "scale": parameters.scale,
        "seed": parameters.seed,
        "device": device.device_name(chosen),
        "params": values,
        "versions": {name: version(name) for name in sorted(packages.union(UNNAMED))},
        "python": platform.python_version(),
        "machine": describe_machine(),
        "threads": {
            "torch": parameters.compute.threads or torch.get_num_threads(),  # that train a cell
            "blas": list_blas(),
            "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS"),
            "cpu_capability": torch.backends.cpu.get_cpu_capability(),
        },
        "gpu": describe_gpu(chosen) if chosen.type == "cuda" else None,
        "determinism": {
            "deterministic_algorithms": torch.are_deterministic_algorithms_enabled(),
            "float32_matmul_precision": torch.get_float32_matmul_precision(),
            "cudnn_benchmark": torch.backends.cudnn.benchmark,
            "CUBLAS_WORKSPACE_CONFIG": os.environ.get("CUBLAS_WORKSPACE_CONFIG"),
            "TORCHINDUCTOR_DETERMINISTIC": os.environ.get("TORCHINDUCTOR_DETERMINISTIC"),
        },
        "precision": list_precisions(root),
        "wall_s": list_wall_times(root),
    }


def list_precisions(root: Path) -> dict[str, list[str]]:
    """List the precisions in which the cells of each study were trained, as their folders say."""
    found: dict[str, set[str]] = {}
    for path in root.glob(f"data/studies/*/cells/*/{cells.MADE_BY}"):
        found.setdefault(path.parts[-4], set()).add(str(artifacts.read_json(path)["precision"]))
    return {study: sorted(found[study]) for study in sorted(found)}


def last_commit(root: Path) -> str | None:
    """The last commit that changed anything but the two published files; None outside git."""
    commit = ask_git(root, "log", "-1", "--format=%H", *ALL_BUT_PUBLISHED)
    return commit.strip() or None if commit else None


def describe_machine() -> dict[str, Any]:
    """System and processor; its flags decide which kernels run."""
    info = Path("/proc/cpuinfo")
    said = info.read_text(encoding="utf-8") if info.is_file() else ""
    lines = [line.partition(":") for line in said.splitlines()]
    fields = {key.strip(): value.strip() for key, _, value in lines}
    return {
        "system": platform.platform(),
        "cpu": fields.get("model name") or platform.processor() or platform.machine(),
        "flags": " ".join(sorted((fields.get("flags") or fields.get("Features") or "").split())),
        "cores": os.cpu_count(),
    }


def list_blas() -> list[dict[str, Any]]:
    """Linear algebra and thread libraries in use, equal ones once, without where they are installed."""
    libraries = [{k: v for k, v in library.items() if k != "filepath"} for library in threadpool_info()]
    different = [library for place, library in enumerate(libraries) if library not in libraries[:place]]
    return sorted(different, key=lambda library: (library["prefix"], library["version"] or ""))


def describe_gpu(chosen: torch.device) -> dict[str, str | None]:
    driver = None
    command = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    with suppress(OSError, subprocess.CalledProcessError):  # not known then
        driver = next(
            iter(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()), None
        )
    return {"name": device.device_name(chosen), "driver": driver, "cuda": torch.version.cuda}


def list_wall_times(root: Path) -> dict[str, float | None]:
    """Seconds that the command of each stage last took, null where no run noted them."""
    seconds = read_wall_times(root)
    stages = [stage for path in objects.list_locks(root) for stage in objects.read_lock(path).values()]
    return {stage["cmd"]: seconds.get(stage["cmd"]) for stage in stages}


def list_differences(published: Mapping[str, Any], here: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Values of two records that differ: path, published, here; of several words, those on one side only."""
    old, new = dict(leaves(dict(published))), dict(leaves(dict(here)))
    differences = []
    for path in {**old, **new}:
        a, b = str(old.get(path)).split(), str(new.get(path)).split()
        if a != b and not path.startswith(NOT_COMPARED):
            apart = [[word for word in a if word not in b], [word for word in b if word not in a]]
            texts = [" ".join(words) if words not in ([], ["None"]) else "\u2013" for words in apart]
            differences.append((path, texts[0], texts[1]))
    return differences

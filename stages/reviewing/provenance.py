"""Where the results come from: commit, parameters, versions, machine, settings, and each stage's hashes."""

import csv
import os
import platform
import re
import subprocess
import tomllib
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import scipy.linalg  # noqa: F401  # loads scipy's own BLAS, so that every process lists the same
import torch
import yaml
from threadpoolctl import threadpool_info

from stages.parameters import params
from stages.reviewing import lock, sums
from stages.training import device

PROVENANCE = "reports/provenance.json"
PUBLISHED = (sums.SUMS, PROVENANCE)  # written by publish, about all the rest
WALL_TIMES = "data/wall_times.csv"
UNNAMED = ("dvc-data",)  # not in pyproject.toml, yet it decides bytes, of .dir files


def collect(root: Path, values: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Everything that the results under `root` hang on, as JSON values; what is not known is null.

    values: parameters in place of those of params.yaml.
    """
    values = values or yaml.safe_load((root / "params.yaml").read_text())
    parameters = params.check(params.Params, values, "")
    chosen = device.choose_device(parameters.device, parameters.compute.precision)
    return {
        "commit": commit(root),
        "scale": parameters.scale,
        "seed": parameters.seed,
        "device": device.device_name(chosen),
        "params": values,
        "versions": versions(root / "pyproject.toml"),
        "python": platform.python_version(),
        "machine": machine(),
        "threads": threads(parameters.compute.threads),
        "gpu": gpu(chosen),
        "determinism": determinism(),
        "stages": stages(root),
    }


def commit(root: Path) -> str | None:
    """The last commit that changed anything but the two published files; None outside git."""
    others = [f":(exclude){path}" for path in PUBLISHED]
    return said("git", "-C", str(root), "log", "-1", "--format=%H", "--", ".", *others) or None


def versions(pyproject: Path) -> dict[str, str | None]:
    """Installed versions of the packages that the project names, and of `UNNAMED`."""
    named = tomllib.loads(pyproject.read_text())["project"]["dependencies"]
    names = {re.split(r"[^\w.-]", requirement)[0] for requirement in named}
    return {name: _version(name) for name in sorted(names.union(UNNAMED))}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def machine() -> dict[str, Any]:
    """System and processor; its flags decide which kernels run."""
    info = Path("/proc/cpuinfo")
    fields = [line.partition(":") for line in info.read_text().splitlines()] if info.is_file() else []
    known = {key.strip(): value.strip() for key, _, value in fields}
    return {
        "system": platform.platform(),
        "cpu": known.get("model name") or platform.processor() or platform.machine(),
        "flags": sorted((known.get("flags") or known.get("Features") or "").split()),
        "cores": os.cpu_count(),
    }


def threads(of_a_cell: int | None) -> dict[str, Any]:
    """Threads that train a cell (None: torch's own choice), those of other libraries, vector instructions."""
    libraries = [{k: v for k, v in one.items() if k != "filepath"} for one in threadpool_info()]
    return {
        "torch": of_a_cell or torch.get_num_threads(),
        "blas": sorted(libraries, key=lambda one: (one["prefix"], one["version"] or "")),  # not as loaded
        "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS"),
        "cpu_capability": torch.backends.cpu.get_cpu_capability(),
    }


def gpu(chosen: torch.device) -> dict[str, str | None] | None:
    """The GPU that trains, or None."""
    if chosen.type != "cuda":
        return None
    drivers = said("nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader").split()
    name = device.device_name(chosen)
    return {"name": name, "driver": next(iter(drivers), None), "cuda": torch.version.cuda}


def determinism() -> dict[str, Any]:
    """Settings under which training computes, once `device.choose_device` has made them."""
    return {
        "deterministic_algorithms": torch.are_deterministic_algorithms_enabled(),
        "float32_matmul_precision": torch.get_float32_matmul_precision(),
        "cudnn_benchmark": torch.backends.cudnn.benchmark,
        "CUBLAS_WORKSPACE_CONFIG": os.environ.get("CUBLAS_WORKSPACE_CONFIG"),
        "TORCHINDUCTOR_DETERMINISTIC": os.environ.get("TORCHINDUCTOR_DETERMINISTIC"),
    }


def stages(root: Path) -> dict[str, Any]:
    """Command, hashes and last wall time in seconds of every stage that has run."""
    seconds = wall_times(root / WALL_TIMES)
    return {
        name if pipeline == "dvc.yaml" else f"{pipeline}:{name}": {
            "cmd": stage.cmd,
            "deps": {entry.path: entry.md5 for entry in stage.deps},
            "outs": {entry.path: entry.md5 for entry in stage.outs},
            "wall_s": seconds.get(stage.cmd.partition("python -m stages.")[2]),
        }
        for pipeline, path in lock.pipelines(root).items()
        for name, stage in lock.read(path).items()
    }


def wall_times(path: Path) -> dict[str, float]:
    """Seconds that each command last took; nothing where no run left its times."""
    if not path.is_file():
        return {}
    with path.open(newline="") as file:
        return {row["command"]: float(row["wall_s"]) for row in csv.DictReader(file)}


def said(*command: str) -> str:
    """What a command prints; nothing where it is not installed or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        return ""
    return "" if done.returncode else done.stdout.strip()

"""A tiny project, run once but for one of its studies, and published to a folder."""

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from commands import copy_params
from dvc.repo import Repo

from stages.files.hashing import list_files
from stages.reviewing.publish import publish

ROOT = Path(__file__).parents[1]
PIPELINE = """
stages:
  train:
    foreach: [grid, network]
    do:
      cmd: python make.py data/cells/${item}/weights.bin data/cells/${item}/scores.csv
      deps: [make.py, data/numbers.bin]
      outs: ["data/cells/${item}"]
  judge:
    cmd: python make.py reports/runs.csv reports/studies/own/verdicts.csv
    deps: [make.py, data/cells/grid]
    params: [grid.order]
    outs:
      - reports/runs.csv: {cache: false}
      - reports/studies/own/verdicts.csv: {cache: false}
  generate:
    cmd: python make.py data/numbers.bin data/tables/a.npy data/tables/b.npy data/tables/of/c.npy
    deps: [make.py]
    outs: [data/numbers.bin, data/tables]
artifacts:
  grid-focus: {path: data/cells/grid, type: model}
"""
FURTHER = """
stages:
  vary:
    wdir: {wdir}
    cmd: python make.py data/{name}/one.csv
    deps: [make.py]
    outs: [data/{name}/one.csv]
  score:
    wdir: {wdir}
    cmd: python make.py data/scores/{name}/one.csv
    deps: [make.py, data/{name}/one.csv]
    outs:
      - data/scores/{name}/one.csv: {{cache: false}}
"""
# a pipeline beside the root's, and where its commands run
WDIRS = {"studies/ran": "../..", "studies/later": "../..", "stages/tasks/grid": "../../.."}
MAKE = """
import os, pathlib, random, sys
for path in map(pathlib.Path, sys.argv[1:]):
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.name == "verdicts.csv":
        path.write_text(f"claim,verdict\\nsmall,holds\\nlarge,{os.environ.get('VERDICT', 'opposed')}\\n")
    elif path.name == "runs.csv":
        if "FAIL" in os.environ:
            sys.exit("no luck today")
        path.write_text("of_" + pathlib.Path("data/cells/grid/scores.csv").read_text())
    elif path.suffix == ".csv":
        path.write_text(f"{path.parts[-2]}\\n1.0\\n{os.environ.get('LAST_NUMBER', '2.5')}\\n")
    else:
        path.write_bytes(random.Random(str(path)).randbytes(2000))
"""
Snapshot = dict[str, tuple[bytes, int]]  # content and mode by path


class Published(NamedTuple):
    """A project that was published, committed and tagged, and the folder it was published to."""

    project: Path
    remote: Path


def git(project: Path, *arguments: str) -> None:
    who = ["-c", "user.name=A Researcher", "-c", "user.email=researcher@example.org"]
    subprocess.run(["git", "-C", str(project), *who, *arguments], check=True, capture_output=True)


def commit(project: Path) -> None:
    git(project, "add", ".")
    git(project, "commit", "--allow-empty", "-qm", "Results")


def clone(published: Published, folder: Path) -> Path:
    """A fresh clone that pulls, with verification, from the folder that was published to."""
    git(published.project, "clone", "-q", str(published.project), str(folder))
    pull_from(folder, str(published.remote))
    return folder


def pull_from(checkout: Path, url: str, **options: str) -> None:
    """What `dvc remote modify --local published url`, and so on, write."""
    lines = [f"    {key} = {value}\n" for key, value in {"url": url, **options}.items()]
    (checkout / ".dvc/config.local").write_text("".join(["['remote \"published\"']\n", *lines]))


def make_project(folder: Path) -> Path:
    """The tiny project in a new folder, after its run, committed."""
    folder.mkdir()
    copy_params(folder)
    for path in ("pyproject.toml", ".dvcignore"):
        shutil.copy(ROOT / path, folder)
    (folder / ".gitignore").write_text(".*.part\nreports/replay.json\n")
    (folder / "dvc.yaml").write_text(PIPELINE)
    for name, wdir in WDIRS.items():
        (folder / name).mkdir(parents=True)
        (folder / name / "dvc.yaml").write_text(FURTHER.format(name=name.removeprefix("stages/"), wdir=wdir))
    (folder / "make.py").write_text(MAKE)
    (folder / "studies/sigma.yaml").write_text("tasks: [grid]\n")  # so that its data are usual ones
    git(folder, "init", "-q", "-b", "main")
    Repo.init(str(folder)).close()
    shutil.copy(ROOT / ".dvc/config", folder / ".dvc/config")
    pipelines = ["dvc.yaml", "studies/ran/dvc.yaml", "stages/tasks/grid/dvc.yaml"]
    subprocess.run(["dvc", "repro", "--quiet", *pipelines], cwd=folder, check=True)
    commit(folder)
    return folder


def publish_to_folder(project: Path) -> Published:
    """Publish to a folder beside the project, commit and tag."""
    remote = project.parent / "remote"
    publish(project, str(remote))
    commit(project)
    git(project, "tag", "-a", "v1.0.0", "-m", "As published")
    git(project, "tag", "-a", "grid-focus@v1.0.0", "-m", "As published")
    return Published(project, remote)


def snapshot(root: Path) -> Snapshot:
    """Every file under `root` but git's and dvc's own bookkeeping."""
    paths = {path.relative_to(root).as_posix(): path for path in list_files(root)}
    apart = (".git/", ".dvc/tmp/", "runs/")
    return {
        name: (path.read_bytes(), path.stat().st_mode)
        for name, path in paths.items()
        if not name.startswith(apart)
    }

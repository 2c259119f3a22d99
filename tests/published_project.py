"""A tiny project, whose one study was trained and scored by a script, and published to a folder."""

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import reported_project
from commands import copy_params
from dvc.repo import Repo

from stages.files.hashing import list_files
from stages.reviewing.publish import publish

ROOT = Path(__file__).parents[1]
PIPELINE = """
stages:
  fetch:
    cmd: python make.py data/raw/recordings/a.bin
    outs: [data/raw/recordings]
  read:
    cmd: python make.py data/read/recordings/a.bin
    deps: [data/raw/recordings]
    outs: [data/read/recordings]
  recordings:
    cmd: python make.py data/tasks/recordings/a.bin
    deps: [data/read/recordings]
    outs: [data/tasks/recordings]
  grid:
    cmd: python make.py data/tasks/grid/a.npz data/tasks/grid/more/b.npz
    outs: [data/tasks/grid]
  train:
    foreach: [sigma]
    do:
      cmd: >-
        python make.py data/studies/${item}/cells/grid-learned/weights.safetensors
        data/studies/${item}/cells/recordings-learned/key.json reports/studies/${item}/made_by.csv
      deps: [make.py, data/tasks]
      outs:
        - data/studies/${item}: {persist: true}
        - reports/studies/${item}/made_by.csv: {cache: false, persist: true}
  score:
    foreach: [sigma]
    do:
      cmd: python make.py data/scores/${item}/grid-learned.csv reports/studies/${item}/scores.csv
      deps: [make.py, data/studies/sigma]
      outs:
        - data/scores/${item}: {persist: true}
        - reports/studies/${item}/scores.csv: {cache: false}
"""
# makes a file of each name; scores are those of given.csv, of which MOVED changes the largest
MAKE = """
import os, pathlib, random, sys
for path in map(pathlib.Path, sys.argv[1:]):
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.name == "made_by.csv":
        if "FAIL" in os.environ:
            sys.exit("no luck today")
        processor = os.environ.get("PROCESSOR", "A")
        columns = "cell,processor,device,instructions,precision,torch"
        path.write_text(f"{columns}\\ngrid-learned,{processor},cpu,avx2,fp32,2.13\\n")
    elif path.suffix == ".csv":
        given = pathlib.Path("given.csv").read_text()
        path.write_text(given.replace(",1\\n", f",{os.environ.get('MOVED', '1')}\\n"))
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
    """Make a fresh clone that pulls, with verification, from the folder that was published to."""
    git(published.project, "clone", "-q", str(published.project), str(folder))
    pull_from(folder, str(published.remote))
    return folder


def pull_from(checkout: Path, url: str, **options: str) -> None:
    """Write what `dvc remote modify --local published url`, and so on, write."""
    lines = [f"    {key} = {value}\n" for key, value in {"url": url, **options}.items()]
    (checkout / ".dvc/config.local").write_text("".join(["['remote \"published\"']\n", *lines]))


def make_project(folder: Path) -> Path:
    """Make the tiny project in a new folder, after its run, committed."""
    reported_project.make_project(folder)
    copy_params(folder)
    (folder / "reports/studies/sigma/scores.csv").rename(folder / "given.csv")
    shutil.copy(ROOT / ".dvcignore", folder)
    (folder / ".gitignore").write_text(".*.part\n__pycache__\n")
    (folder / "dvc.yaml").write_text(PIPELINE)
    (folder / "make.py").write_text(MAKE)
    git(folder, "init", "-q", "-b", "main")
    Repo.init(str(folder)).close()
    shutil.copy(ROOT / ".dvc/config", folder / ".dvc/config")
    subprocess.run(["dvc", "repro", "--quiet"], cwd=folder, check=True)
    commit(folder)
    return folder


def publish_to_folder(project: Path) -> Published:
    """Publish to a folder beside the project, commit and tag."""
    remote = project.parent / "remote"
    publish(project, str(remote))
    commit(project)
    git(project, "tag", "-a", "v1.0.0", "-m", "As published")
    return Published(project, remote)


def snapshot(root: Path) -> Snapshot:
    """Read every file under `root` but git's and dvc's own bookkeeping."""
    paths = {path.relative_to(root).as_posix(): path for path in list_files(root)}
    apart = (".git/", ".dvc/tmp/")
    return {
        name: (path.read_bytes(), path.stat().st_mode)
        for name, path in paths.items()
        if not name.startswith(apart)
    }

"""Commands in a copy of the project."""

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

from stages.parameters.yaml_text import dump, parse
from stages.running.git import list_tracked
from stages.studies.schema import list_studies

ROOT = Path(__file__).parents[1]


def attempt(folder: Path, *command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a command and return how it ended.

    It has one thread: models this small lose time on more, most of all on busy cores.
    """
    environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(folder)} | variables
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def call(folder: Path, *command: str, **variables: str) -> str:
    """Return the standard output of a command in `folder`; it must succeed."""
    done = attempt(folder, *command, **variables)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout


def hide_torch(folder: Path) -> str:
    """Return a PYTHONPATH for commands that do without torch.

    The runner else loads torch ahead of stages for seconds. folder: a new one, in which a module of that name
    says that there is none.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "torch.py").write_text("raise ImportError\n", encoding="utf-8")
    return os.pathsep.join([str(folder), str(ROOT)])


@cache
def list_own() -> frozenset[str]:
    """List files of the project as git tracks them; all files without git.

    A user may have more files there.
    """
    listed = list_tracked(ROOT) or [path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*")]
    return frozenset(listed)


def own_studies() -> list[str]:
    """List studies of the project, without those that a user added."""
    return [name for name in list_studies(ROOT) if f"studies/{name}.yaml" in list_own()]


def copy_params(folder: Path) -> None:
    """Copy params.yaml of the project without a GPU of this machine, which torch would have to find."""
    text = (ROOT / "params.yaml").read_text(encoding="utf-8")
    (folder / "params.yaml").write_text(text.replace("device: auto", "device: cpu"), encoding="utf-8")


def leave_out_studies(folder: Path, *kept: str) -> None:
    """Delete all other studies of a copy; dvc knows none but those of its own dvc.yaml."""
    for study in (folder / "studies").glob("*.yaml"):
        if study.stem not in (*kept, "dvc"):
            study.unlink()
    pipeline = folder / "studies/dvc.yaml"
    values = parse(pipeline.read_text(encoding="utf-8"))
    values["vars"] = [{name: [] for name in one} if isinstance(one, dict) else one for one in values["vars"]]
    pipeline.write_text(dump(values), encoding="utf-8")


def copy_project(folder: Path) -> Path:
    """Copy what git holds of the project, or would, without the locks of the published run."""
    for name in call(ROOT, "git", "ls-files", "-z", "-co", "--exclude-standard").split("\0"):
        if (ROOT / name).is_file() and not name.endswith("dvc.lock"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder

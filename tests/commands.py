"""Commands in a copy of the project."""

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]


def attempt(folder: Path, *command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """The command as it ended. One thread: models this small lose time on more, most of all on busy cores."""
    environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(folder)} | variables
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def call(folder: Path, *command: str, **variables: str) -> str:
    """Standard output of a command in `folder`; it must succeed."""
    done = attempt(folder, *command, **variables)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout


def leave_out_studies(folder: Path, *kept: str) -> None:
    """Delete all other studies of a copy: dvc then has few stages to read."""
    for study in (folder / "studies").glob("*.yaml"):
        if study.stem not in kept:
            study.unlink()
            shutil.rmtree(study.with_suffix(""))


def copy_project(folder: Path) -> Path:
    """What git holds of the project or would, in a new folder, but the locks of the published run."""
    for name in call(ROOT, "git", "ls-files", "-z", "-co", "--exclude-standard").split("\0"):
        if (ROOT / name).is_file() and not name.endswith("dvc.lock"):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder

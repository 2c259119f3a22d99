"""A project of five small stages: `begin`, three `cell`s that need it, and `end`, which needs these."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
from commands import copy_params, hide_torch

CELLS = ("a", "b", "c")
ODD_NAME = "it's 100% a#b $HOME, ä"  # of a folder: what shells, dvc and batch systems may read otherwise
TOY = '''"""Write what was read; before that wait, fail or die where a file says so."""

import os
import sys
import time
from pathlib import Path

VERSION = 1
needs = [Path(f"data/{need}.txt").read_text() for need in sys.argv[1].split(",") if need != "nothing"]
for name in sys.argv[2:]:
    wait_s = Path(f"wait_{name}")
    time.sleep(float(wait_s.read_text()) if wait_s.exists() else 0)
    if Path(f"fail_{name}").exists():
        sys.exit(f"error: {name} cannot be made")
    if Path(f"die_{name}").exists():
        os.kill(os.getpid(), 9)
    Path(f"data/{name}.txt").write_text(f"{name} {VERSION} ({', '.join(needs)})")
'''


STUDY = """\
  {name}:
    wdir: ../..
    cmd: python -m toy {need} {name}
    deps: [toy.py, data/{need}.txt]
    outs: [data/{name}.txt]
"""


def stage(name: str, needs: tuple[str, ...]) -> str:
    deps = "".join(f"\n      - {path}" for path in ("toy.py", *(f"data/{need}.txt" for need in needs)))
    command = f"python -m toy {','.join(needs) or 'nothing'} {name}"
    return f"  {name}:\n    cmd: {command}\n    deps:{deps}\n    outs:\n      - data/{name}.txt\n"


def make_toy_project(folder: Path) -> Path:
    """The project in a folder, with git, without results."""
    (folder / ".dvc").mkdir(parents=True)
    (folder / ".dvc/config").write_text("[core]\n    analytics = false\n")
    (folder / ".dvc/.gitignore").write_text("/config.local\n/tmp\n/cache\n")
    (folder / "data").mkdir()
    (folder / "data/.gitignore").write_text("/*\n!/.gitignore\n")
    (folder / "toy.py").write_text(TOY)
    copy_params(folder)
    stages = [stage("begin", ()), *(stage(name, ("begin",)) for name in CELLS), stage("end", CELLS)]
    (folder / "dvc.yaml").write_text("stages:\n" + "".join(stages))
    subprocess.run(["git", "init", "--quiet"], cwd=folder, check=True)
    return folder


def add_study(folder: Path) -> Path:
    """A study of two stages, `train`, which needs `begin`, and `score`, and the report behind `end`."""
    with (folder / "dvc.yaml").open("a") as file:
        file.write(stage("report", ("end",)).rstrip() + ":\n          cache: false\n")
    (folder / "studies/one").mkdir(parents=True)
    stages = [STUDY.format(name="train", need="begin"), STUDY.format(name="score", need="train")]
    (folder / "studies/one/dvc.yaml").write_text("stages:\n" + "".join(stages))
    return folder


def start(folder: Path, *command: str, **variables: str) -> subprocess.Popen[str]:
    """A command in the folder, of this Python without torch, in a process group of its own."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.Popen(
        command,
        cwd=folder,
        env=os.environ | {"PATH": path, "PYTHONPATH": hide_torch(folder / ".dvc/tmp/none")} | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # where tests run in the background, SIGINT is ignored
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def repro(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    run = start(folder, "python", "-m", "stages.pipeline.repro", *arguments, **variables)
    out, err = run.communicate(timeout=300)
    return subprocess.CompletedProcess(run.args, run.returncode, out, err)


def call(folder: Path, *command: str) -> str:
    done = start(folder, *command)
    out, err = done.communicate(timeout=300)
    assert done.returncode == 0, out + err
    return out


def results(folder: Path) -> dict[str, bytes]:
    """Every output, and dvc's lock."""
    return {path.name: path.read_bytes() for path in [*folder.glob("data/*.txt"), folder / "dvc.lock"]}


def wait_until(true: Callable[[], object], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def alive(folder: Path) -> list[psutil.Process]:
    """Processes that work in the folder or below."""
    working = []
    for process in psutil.process_iter(["cwd"]):
        cwd = process.info["cwd"]
        if cwd and Path(cwd).is_relative_to(folder) and process.status() != psutil.STATUS_ZOMBIE:
            working.append(process)
    return working

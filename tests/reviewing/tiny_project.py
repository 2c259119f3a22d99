"""A dvc project of two stages, in which everything is small enough to be replayed within a test."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PIPELINE = """
stages:
  numbers:
    cmd: python code/numbers.py
    deps:
      - code/numbers.py
    outs:
      - data/made
  shares:
    foreach: [half, tenth]
    do:
      cmd: python code/shares.py ${item}
      deps:
        - code/shares.py
        - data/made
        - data/reference/of.csv
      params:
        - grid.order
      outs:
        - reports/tables/${item}.csv:
            cache: false
"""
NUMBERS = """
import os
from pathlib import Path
Path("data/made").mkdir(parents=True, exist_ok=True)
Path("data/made/numbers.csv").write_text("x\\n1.0\\n" + os.environ.get("LAST_NUMBER", "2.5") + "\\n")
Path("data/made/names.txt").write_text("a\\nb\\n")
"""
SHARES = """
import os, sys
from pathlib import Path
if "FAIL" in os.environ:
    sys.exit("no luck today")
of = float(Path("data/reference/of.csv").read_text()) * {"half": 0.5, "tenth": 0.1}[sys.argv[1]]
numbers = [float(line) for line in Path("data/made/numbers.csv").read_text().split()[1:]]
Path("reports/tables").mkdir(parents=True, exist_ok=True)
Path(f"reports/tables/{sys.argv[1]}.csv").write_text("y\\n" + "".join(f"{of * x}\\n" for x in numbers))
"""


def make_project(folder: Path) -> Path:
    """The project in `folder`, after `dvc repro`."""
    for path, text in {
        "dvc.yaml": PIPELINE,
        "code/numbers.py": NUMBERS,
        "code/shares.py": SHARES,
        "data/reference/of.csv": "1.0",
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    for name in ("params.yaml", "pyproject.toml"):  # of the project itself: provenance reads them
        shutil.copyfile(ROOT / name, folder / name)
    for command in (["init", "--no-scm", "--quiet"], ["repro", "--quiet"]):
        call(folder, "dvc", *command)
    return folder


def call(folder: Path, module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """This Python's module or command, run in `folder`."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=folder,
        env=os.environ | {"PATH": path, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )

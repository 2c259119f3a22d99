"""The Makefile sets up .venv, with scripts in place of Python."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from commands import ROOT

OLD = f"""#!/bin/sh
[ "$1" = -I ] && shift
[ "$1" = -c ] || exit 1
exec {sys.executable} -c 'import sys; sys.version_info, sys.version = (3, 11, 3), "3.11.3 (main)"
exec(sys.argv[1])' "$2"
"""
NEW = f"""#!/bin/sh
[ "$1" = -I ] && shift
case "$1 $2" in
"-m venv") mkdir -p .venv/bin && cp "$0" .venv/bin/python && cp "$0" .venv/bin/python3;;
"-m pip") echo "installs $*";;
*) exec {sys.executable} "$@";;
esac
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("Makefile", "pyproject.toml", "stages/requirements.lock"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy2(ROOT / name, tmp_path / name)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def write_python(path: Path, script: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(script, encoding="utf-8")
    path.chmod(0o755)


def make(project: Path, target: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["make", target], cwd=project, capture_output=True, text=True, errors="replace")


@pytest.mark.parametrize("target", ["repro", "verify"])
def test_an_old_python_is_named_before_anything_is_made(project: Path, target: str) -> None:
    write_python(project / "bin/python3", OLD)
    run = make(project, target)
    assert run.returncode == 2 and not (project / ".venv").exists()
    said = run.stderr.splitlines()
    assert (
        said[0].startswith("error: python3 is Python 3.11.3, expected 3.11.4 or newer; ") and len(said) == 2
    )


@pytest.mark.parametrize("left", [OLD, "#!/bin/sh\necho No module named pip >&2; exit 1\n"])
def test_an_environment_that_is_of_no_use_is_made_anew(project: Path, left: str) -> None:
    write_python(project / "bin/python3", NEW)
    for name in ("python", "python3"):
        write_python(project / ".venv/bin" / name, left)
    run = make(project, ".venv/installed")
    assert run.returncode == 0 and "installs -m pip install --no-compile -c" in run.stdout, run.stderr
    assert (project / ".venv/bin/python").read_text() == NEW
    (project / ".venv/kept").touch()
    (project / ".venv/installed").unlink()
    assert make(project, ".venv/installed").returncode == 0 and (project / ".venv/kept").exists()
    assert (project / ".venv/installed").read_text() == f"{project}\n"
    assert "is up to date" in make(project, ".venv/installed").stdout
    (project / ".venv/installed").write_text("/elsewhere\n")  # as in a copy of that folder
    assert make(project, ".venv/installed").returncode == 0 and not (project / ".venv/kept").exists()

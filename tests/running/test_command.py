import multiprocessing
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from commands import call
from filelock import FileLock, Timeout

from stages.files.artifacts import write_json
from stages.parameters.errors import InputError
from stages.running.command import become, exclusive, run
from stages.running.wall_times import WALL_TIMES

ROOT = Path(__file__).parents[2]
STOPPED = b"stopped; the same command goes on from here\n"


def fail() -> None:
    raise InputError("sigma: -1 given,\nexpected 0 or more")


def test_a_user_s_mistake_is_one_line_and_status_1(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        run(fail)
    assert end.value.code == 1
    assert capsys.readouterr().err == "error: sigma: -1 given, expected 0 or more\n"


def test_a_fork_becomes_a_module_whose_garbage_is_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = "import gc, sys\nsys.exit(int(sys.argv[1]) if gc.get_freeze_count() else 1)\n"
    (tmp_path / "ends.py").write_text(module, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    process = multiprocessing.get_context("fork").Process(target=become, args=(["ends", "3"],))
    process.start()
    process.join()
    assert process.exitcode == 3


def test_a_system_without_glibc_starts_no_process_again(tmp_path: Path) -> None:
    code = "import os, platform; platform.libc_ver = lambda *_: ('', '')\n"  # as on macOS
    code += "from stages.running import command; print(1, flush=True); command.use_large_pages()\n"
    code += "print(command.LARGE_PAGES, os.environ.get('GLIBC_TUNABLES'))"
    said = call(
        tmp_path,
        sys.executable,
        "-c",
        f"import os; os.environ.pop('GLIBC_TUNABLES', 0)\n{code}",
        PYTHONPATH=str(ROOT),
    )
    assert said == "1\n{} None\n"


@pytest.mark.parametrize("given", ["", "glibc.malloc.hugetlb=0"])
def test_a_process_starts_once_more_with_large_pages_unless_glibc_was_told_otherwise(
    given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GLIBC_TUNABLES", raising=False)  # a test of the runner may have set it
    code = "import os; from stages.running import command; print(1, flush=True); command.use_large_pages(); "
    code += "print(os.environ['GLIBC_TUNABLES'])"
    variables = {"GLIBC_TUNABLES": given} if given else {}
    said = call(tmp_path, sys.executable, "-c", code, PYTHONPATH=str(ROOT), **variables).split()
    assert said == (["1", given] if given else ["1", "1", "glibc.malloc.hugetlb=1"])


@pytest.mark.parametrize("fault", [lambda: print(1 // 0), lambda: print(int("σ"))])
def test_a_mistake_of_the_code_keeps_its_traceback(fault: Callable[[], None]) -> None:
    with pytest.raises((ZeroDivisionError, ValueError)):
        run(fault)


def test_an_error_of_the_system_names_the_line_that_met_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SystemExit):
        run(lambda: write_json(tmp_path / "file" / "x.json", {}))
    assert re.search(r" \(stages/files/artifacts\.py, line \d+\)$", capsys.readouterr().err.strip())


def test_an_argument_that_no_one_reads_is_a_mistake(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[Path] = []
    monkeypatch.setattr(sys, "argv", ["stage", "--scale", "smoke"])
    with pytest.raises(SystemExit) as end:
        run(lambda root=Path(): ran.append(root))
    assert end.value.code == 1 and not ran
    assert capsys.readouterr().err.startswith("error: --scale given, but this takes no arguments;")
    run(lambda: ran.append(Path()))  # this one would read them
    monkeypatch.setattr(sys, "argv", ["stage"])
    run(lambda root=Path(): ran.append(root))
    assert len(ran) == 2


def test_a_name_that_the_locale_cannot_write_stops_nothing(tmp_path: Path) -> None:
    code = "from stages.running.command import run; run(lambda: print(chr(963)))"
    said = call(tmp_path, sys.executable, "-c", code, PYTHONPATH=str(ROOT), PYTHONIOENCODING="latin-1")
    assert said == "\\u03c3\n"


def test_waiting_threads_are_tamed_before_torch_is_imported() -> None:
    watch = (
        "import builtins, os, sys\n"
        "real = builtins.__import__\n"
        "def watched(name, *rest):\n"
        "    if name == 'torch' and 'torch' not in sys.modules:\n"
        "        assert 'GOMP_SPINCOUNT' in os.environ, 'torch first'\n"
        "    return real(name, *rest)\n"
        "builtins.__import__ = watched\n"
        "import stages.train\n"
        "assert 'torch' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", watch], check=True, env={"PATH": ""})


def is_held(path: Path) -> bool:
    """Whether a lock is, as the next run of a command would find it."""
    try:
        with FileLock(path, blocking=False):
            return False
    except Timeout:
        return True


def test_one_command_runs_once_at_a_time_in_a_folder(tmp_path: Path) -> None:
    other = tmp_path / "other"
    (tmp_path / ".dvc").mkdir()
    (other / ".dvc").mkdir(parents=True)
    with exclusive("train --task grid -v", tmp_path), exclusive("train --task probe", tmp_path):
        first, second = locks = sorted((tmp_path / ".dvc/tmp").glob("*.lock"))
        assert is_held(first) and is_held(second)
        with exclusive("train --task grid -v", other):
            assert len(list((other / ".dvc/tmp").iterdir())) == 1
    assert not any(map(is_held, locks))
    with exclusive("train -v --task=grid", tmp_path):
        assert sum(map(is_held, locks)) == 1 and len(list((tmp_path / ".dvc/tmp").iterdir())) == 2


def test_two_runs_exclude_each_other_whatever_their_folder_for_temporary_files(tmp_path: Path) -> None:
    (tmp_path / ".dvc").mkdir()
    code = "from stages.running.command import run; run(lambda: print('ran'))"
    command = [sys.executable, "-c", code]
    with exclusive("python -c", tmp_path):
        environment = os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
        second = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE)
        assert second.stdout is not None
        assert second.stdout.readline() == b"python -c: waiting for another run of it to end\n"
    assert second.communicate()[0] == b"ran\n"


def test_outside_a_project_nothing_is_locked_or_left(tmp_path: Path) -> None:
    with exclusive("measure", tmp_path), exclusive("measure", tmp_path):
        assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("when", ["while libraries load", "later"])
def test_ctrl_c_leaves_no_traceback(when: str, tmp_path: Path) -> None:
    code = f"import sys, time\nsys.path.append({str(ROOT)!r})\n"
    wait = "(print(1, flush=True), time.sleep(60))"
    later = f"from stages.running.command import run\nrun(lambda: {wait})\n"
    early = f"import stages\n{wait}\n"
    (tmp_path / "tool").mkdir()
    (tmp_path / "tool/__init__.py").write_text(code + (early if when != "later" else "import stages\n"))
    (tmp_path / "tool/__main__.py").write_text(code + later)
    command = subprocess.Popen(
        [sys.executable, "-m", "tool"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # where tests run in the background, SIGINT is ignored
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert command.stdout is not None and command.stdout.readline() == b"1\n"
    command.send_signal(signal.SIGINT)
    assert command.communicate()[1] == (STOPPED if when == "later" else b"")
    assert command.returncode == (130 if when == "later" else -signal.SIGINT)


def test_what_dvc_runs_notes_its_wall_time_under_the_stage_s_command(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "stage.py").write_text("from stages.running.command import run\nrun(lambda: None)")
    for by_dvc in ({}, {"DVC_STAGE": "a"}, {"DVC_STAGE": "b"}):
        environment = {"PYTHONPATH": str(ROOT), **by_dvc}
        command = [sys.executable, "-m", "stage", "--task", "grid"]
        subprocess.run(command, cwd=tmp_path, env=environment, check=True)
    assert (tmp_path / WALL_TIMES).read_text().count("python -m stage --task grid,0.") == 2


# a shell that becomes its command, and one that stays and waits for it
@pytest.mark.parametrize("shell", ["", "exec ", "true && "])
def test_a_stage_ends_with_the_dvc_that_started_it(shell: str, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    stage = "import time; from stages.running.command import run\n"
    stage += "run(lambda: (print(1, flush=True), time.sleep(60)))"
    command = f"{shell}{shlex.join([sys.executable, '-c', stage])}"
    parent = f"import subprocess; subprocess.run(['/bin/sh', '-c', {command!r}])"
    environment = {"PYTHONPATH": str(ROOT), "DVC_STAGE": "a"}
    dvc = subprocess.Popen(
        [sys.executable, "-c", parent], cwd=tmp_path, env=environment, stdout=subprocess.PIPE
    )
    assert dvc.stdout is not None and dvc.stdout.readline() == b"1\n"
    started = psutil.Process(dvc.pid).children(recursive=True)
    dvc.kill()
    dvc.wait()
    assert psutil.wait_procs(started, timeout=10)[1] == []

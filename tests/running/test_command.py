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
from commands import ROOT, attempt, call

from stages.core.settings.errors import InputError
from stages.files.artifacts import write_json
from stages.running.command import STEPS, guard, run_command


def fail(*_: object) -> None:
    raise InputError("sigma: -1 given,\nexpected 0 or more")


def test_a_user_s_mistake_is_one_line_and_status_1(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end, guard():
        fail()
    assert end.value.code == 1
    assert capsys.readouterr().err == "error: sigma: -1 given, expected 0 or more\n"


@pytest.mark.parametrize("fault", [lambda: print(1 // 0), lambda: print(int("σ"))])
def test_a_mistake_of_the_code_keeps_its_traceback(fault: Callable[[], None]) -> None:
    with pytest.raises((ZeroDivisionError, ValueError)), guard():
        fault()


def test_an_error_of_the_system_names_the_line_that_met_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SystemExit), guard():
        write_json(tmp_path / "file" / "x.json", {})
    assert re.search(r" \(stages/files/artifacts\.py, line \d+\)$", capsys.readouterr().err.strip())


@pytest.mark.parametrize(("scale", "runs"), [("paper", False), ("smoke", False), ("small", True), ("", True)])
def test_a_scale_in_the_environment_is_that_of_params_yaml_or_refused(
    scale: str, runs: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[str] = []
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("stages.train.train", lambda root, study: ran.append(study))
    monkeypatch.setattr("stages.scale.copy_at_scale", lambda root, scale: ran.append(scale))
    monkeypatch.setenv("SCALE", scale)
    run_command(["scale", "paper"])
    if runs:
        run_command(["train", "sigma"])
    else:
        with pytest.raises(SystemExit):
            run_command(["train", "sigma"])
        assert f"SCALE '{scale}' given in the environment, but a step runs" in capsys.readouterr().err
    assert ran == ["paper", "sigma"][: 1 + runs]


def test_a_step_is_called_with_the_root_and_its_names(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[tuple[Path, str]] = []
    monkeypatch.setattr("stages.train.train", lambda root, study: ran.append((root, study)))
    run_command(["train", "sigma"])
    assert ran == [(Path(), "sigma")]
    for given, said in (
        (["train"], "0 names given, expected `python -m stages train STUDY`"),
        (["train", "sigma", "probe"], "2 names given, expected `python -m stages train STUDY`"),
        (["trian", "sigma"], "step 'trian' given, expected train"),
    ):
        with pytest.raises(SystemExit):
            run_command(given)
        assert capsys.readouterr().err.startswith(f"error: {said}")
    assert len(ran) == 1


def test_every_step_is_described_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    run_command([])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == [*STEPS] and all(line.endswith(".") for line in lines)
    assert next(line for line in lines if line.startswith("train")).split()[1:3] == ["STUDY", "Bring"]


def test_a_name_that_the_locale_cannot_write_stops_nothing(tmp_path: Path) -> None:
    code = "from stages.running.command import guard\nwith guard():\n    print(chr(963))"
    said = call(tmp_path, sys.executable, "-c", code, PYTHONPATH=str(ROOT), PYTHONIOENCODING="latin-1")
    assert said == "\\u03c3\n"


def test_only_one_line_is_said_of_a_mistake_in_params(tmp_path: Path) -> None:
    (tmp_path / "params.yaml").write_text("seed: [")
    done = attempt(tmp_path, sys.executable, "-m", "stages", "data", "network", PYTHONPATH=str(ROOT))
    assert done.returncode == 1 and done.stderr.startswith("error: ") and done.stderr.count("\n") == 1


def test_ctrl_c_leaves_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("import time\nprint(1, flush=True)\ntime.sleep(60)\n")
    run = subprocess.Popen(
        [sys.executable, "-m", "stages", "train", "own"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # where tests run in the background, SIGINT is ignored
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert run.stdout is not None and run.stdout.readline() == b"1\n"
    run.send_signal(signal.SIGINT)
    assert run.communicate()[1] == b"stopped; run the same command again to continue\n"
    assert run.returncode == 130


# a shell that becomes its command, and one that stays and waits for it
@pytest.mark.parametrize("shell", ["", "exec ", "true && "])
def test_a_step_ends_with_the_dvc_that_started_it(shell: str, tmp_path: Path) -> None:
    (tmp_path / "torch.py").write_text("import time\nprint(1, flush=True)\ntime.sleep(60)\n")
    step = f"{shell}{shlex.join([sys.executable, '-m', 'stages', 'train', 'own'])}"
    parent = f"import subprocess; subprocess.run(['/bin/sh', '-c', {step!r}])"
    dvc = subprocess.Popen(
        [sys.executable, "-c", parent],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}", "DVC_STAGE": "train@own"},
        stdout=subprocess.PIPE,
    )
    assert dvc.stdout is not None and dvc.stdout.readline() == b"1\n"
    started = psutil.Process(dvc.pid).children(recursive=True)
    dvc.kill()
    dvc.wait()
    assert psutil.wait_procs(started, timeout=10)[1] == []

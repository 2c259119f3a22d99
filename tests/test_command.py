import subprocess
import sys

import pytest

from stages.command import run


def fail() -> None:
    raise ValueError("sigma: -1 given,\nexpected 0 or more")


def test_a_user_s_mistake_is_one_line_and_status_1(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        run(fail)
    assert end.value.code == 1
    assert capsys.readouterr().err == "error: sigma: -1 given, expected 0 or more\n"


def test_a_mistake_of_the_code_keeps_its_traceback() -> None:
    with pytest.raises(ZeroDivisionError):
        run(lambda: print(1 // 0))


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

"""Code that is edited while a study runs reaches no cell under the key of the code as it was."""

import sys
from pathlib import Path

import pytest
from running_study import TRAIN, kept, make_project, read_cells, run, start

from stages.cells import code
from stages.cells.code import digest_file, load_code
from stages.core.settings.errors import InputError

SCHEME = "stages/core/encodings/learned.py"
# the command, on a system whose processes are started anew instead of being copied
SPAWNED = """
from pathlib import Path
from stages.cells import workers
from stages.running.command import guard
from stages.train import train
workers.METHOD = "{}"
with guard():
    train(Path(), "own")
"""


@pytest.mark.slow
@pytest.mark.parametrize("method", ["fork", pytest.param("spawn", marks=pytest.mark.thorough)])
def test_an_edit_meanwhile_reaches_the_next_run(method: str, tmp_path: Path) -> None:
    folder = make_project(tmp_path)
    running = start(folder, sys.executable, "-c", SPAWNED.format(method))
    assert running.stdout is not None
    assert any("to train" in line for line in running.stdout), running.communicate()
    scheme = folder / SCHEME
    before = scheme.read_text(encoding="utf-8")
    scheme.write_text(f"{before}\nraise SystemError\n", encoding="utf-8")
    _, complaint = running.communicate()
    if method == "spawn":
        assert running.returncode == 1 and complaint.count("\n") == 1
        assert f": {SCHEME} was edited during the run; run again" in complaint
        assert not read_cells(folder)
        return
    assert (running.returncode, complaint) == (0, "")
    assert "SystemError" in run(folder, *TRAIN).stderr
    scheme.write_text(before, encoding="utf-8")
    assert kept(run(folder, *TRAIN).stdout) == (4, 0)


def test_code_that_is_other_than_a_key_says_is_named() -> None:
    digest = digest_file(code.ROOT / SCHEME)
    load_code({SCHEME: digest, "stages/__init__.py": digest_file(code.ROOT / "stages/__init__.py")})
    for other in ({SCHEME: "0"}, {SCHEME: digest, "stages/core/encodings/none.py": "0"}):
        with pytest.raises(InputError, match=f"^{[*other][-1]} was edited during the run; run again"):
            load_code(other)


def test_a_file_that_was_saved_since_the_process_began_has_no_digest(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(code, "ROOT", tmp_path)
    (tmp_path / "new.py").write_text("x = 1\n")
    monkeypatch.setattr(code, "SAVED", {tmp_path / "new.py": 0})
    with pytest.raises(InputError, match="^new.py was edited during the run; run again"):
        digest_file(tmp_path / "new.py")

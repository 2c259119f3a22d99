"""The runner on a small project: the results are those of `dvc repro`, whatever happens on the way."""

import os
import random
import re
import shutil
import signal
import time
from pathlib import Path

import psutil
import pytest
import yaml
from commands import ROOT
from toy_project import ODD_NAME, alive, call, make_toy_project, repro, results, start, wait_until

COPY = ".dvc/tmp/running/copy"


@pytest.fixture(scope="module")
def serial(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Results of `dvc repro`."""
    folder = make_toy_project(tmp_path_factory.mktemp("serial"))
    call(folder, "dvc", "repro")
    return results(folder)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_toy_project(tmp_path / ODD_NAME)


def test_it_does_what_dvc_repro_does_and_leaves_dvc_nothing_to_do(
    project: Path, serial: dict[str, bytes]
) -> None:
    (project / "wait_a").write_text("1")  # ends after those that dvc runs later
    run = repro(project)
    assert run.returncode == 0, run.stderr
    first, second, *others = run.stdout.splitlines()
    assert first == "reading the pipeline" and second.startswith("5 stages to bring up to date; ")
    assert others[-2].startswith("5 of 5, 0 s left: dvc.yaml:end took ") and others[-1] == "5 ran"
    assert results(project) == serial
    assert "up to date" in call(project, "dvc", "status")
    assert "All 5 stages are up to date." in repro(project).stdout


def test_the_time_left_is_measured_and_no_earlier_one(project: Path) -> None:
    cells = {"cmd": "python -m toy nothing ${item}", "deps": ["toy.py"], "outs": ["data/${item}.txt"]}
    (project / "dvc.yaml").write_text(
        yaml.safe_dump({"stages": {"cell": {"foreach": list("abc"), "do": cells}}})
    )
    (project / "data/wall_times.csv").write_text("python -m toy nothing a,6000")
    run = repro(project, "cell@b", "cell@c")
    assert run.returncode == 0, run.stderr
    assert re.search(r"1 of 2, \d s left: dvc.yaml:cell@", run.stdout)


def test_a_rerun_leaves_the_tree_clean(project: Path) -> None:
    """Whatever part of it runs, in whatever order stages end."""
    (project / "wait_a").write_text("1")
    assert repro(project).returncode == 0
    lock = (project / "dvc.lock").read_bytes()
    assert list(yaml.safe_load(lock)["stages"]) == ["begin", "a", "b", "c", "end"]
    for targets in ([], ["c"], ["a", "end"]):
        for name in ("c", "a"):
            (project / f"data/{name}.txt").unlink(missing_ok=True)
        assert repro(project, *targets).returncode == 0
        assert (project / "dvc.lock").read_bytes() == lock


def test_what_a_killed_dvc_leaves_is_one_line_with_the_cure(project: Path) -> None:
    call(project, "dvc", "repro")
    whole = (project / "dvc.lock").read_text()
    (project / "dvc.lock").write_text(whole[: whole.index("hash") + 2])
    run = repro(project)
    assert run.returncode == 1 and run.stderr.count("\n") == 1 and "git checkout '*dvc.lock'" in run.stderr
    (project / "dvc.lock").write_text(whole)
    (project / ".dvc/tmp/rwlock").write_text('{"')
    run = repro(project)
    assert run.returncode == 1 and run.stderr.count("\n") == 1 and "rm -f .dvc/tmp/rwlock" in run.stderr


def test_a_checkout_of_another_user_is_one_line_with_gits_cure(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    run = repro(project)
    assert run.returncode == 1 and run.stderr.count("\n") == 1
    assert "git config --global --add safe.directory" in run.stderr


def test_a_lost_output_comes_back_from_the_cache(project: Path, serial: dict[str, bytes]) -> None:
    call(project, "dvc", "repro")
    (project / "data/a.txt").unlink()
    (project / "data/end.txt").write_text("other")
    (project / "dvc.lock").unlink()
    run = repro(project)
    assert run.stdout.endswith("2 up to date, 3 from dvc's cache\n") or run.stdout.endswith(
        "5 from dvc's cache\n"
    )
    assert results(project) == serial


def test_a_clone_with_locks_and_nothing_else_makes_everything(
    project: Path, serial: dict[str, bytes]
) -> None:
    call(project, "dvc", "repro")
    for made in (project / "data").glob("*.txt"):
        made.unlink()
    for folder in (".dvc/cache", ".dvc/tmp"):
        shutil.rmtree(project / folder)
    run = repro(project)
    assert run.returncode == 0, run.stderr
    assert results(project) == serial


def test_a_stage_that_was_run_gets_a_further_output(project: Path) -> None:
    assert repro(project).returncode == 0
    stages = (project / "dvc.yaml").read_text()
    more = stages.replace("toy nothing begin", "toy nothing begin more")
    more = more.replace(
        "outs:\n      - data/begin.txt", "outs:\n      - data/begin.txt\n      - data/more.txt"
    )
    (project / "dvc.yaml").write_text(more)
    run = repro(project)
    assert run.returncode == 0, run.stderr
    assert (project / "data/more.txt").is_file() and "up to date" in call(project, "dvc", "status")


def test_an_edit_in_the_middle_is_recorded_as_the_source_of_nothing(
    project: Path, serial: dict[str, bytes]
) -> None:
    (project / "wait_b").write_text("4")
    run = start(project, "python", "-m", "stages.pipeline.repro")
    wait_until((project / COPY / "data/a.txt").exists)
    (project / "toy.py").write_text((project / "toy.py").read_text().replace("VERSION = 1", "VERSION = 2"))
    assert run.wait() == 0
    assert results(project) == serial
    status = call(project, "dvc", "status")
    assert all(f"{name}:" in status for name in ("begin", "a", "b", "c", "end"))
    assert repro(project).returncode == 0
    assert (project / "data/a.txt").read_text() == "a 2 (begin 2 ())"


def test_others_finish_after_a_failure(project: Path, serial: dict[str, bytes]) -> None:
    (project / "fail_a").touch()
    run = repro(project)
    assert run.returncode == 1
    log = project / COPY / ".dvc/tmp/logs/dvc.yaml:a.log"
    assert run.stderr == f"failed: dvc.yaml:a: a cannot be made (log: {log})\n"
    assert log.read_text() == "error: a cannot be made\n"
    assert run.stdout.endswith("3 ran, 1 failed, 1 left out of date\n")
    assert (project / "data/c.txt").exists() and not (project / "data/end.txt").exists()
    (project / "fail_a").unlink()
    run = repro(project)
    assert run.returncode == 0 and run.stdout.endswith("3 up to date, 2 ran\n")
    assert results(project) == serial


def test_what_stages_note_is_shown_once(project: Path) -> None:
    toy = (project / "toy.py").read_text()
    note = "[print(line) for line in ('note: bf16 is slow', f'note: {sys.argv[2]} skipped', 'other')]\n"
    (project / "toy.py").write_text(toy.replace("VERSION = 1\n", f"VERSION = 1\n{note}"))
    run = repro(project, *"abc")
    assert run.returncode == 0, run.stderr
    notes = sorted(line for line in run.stdout.splitlines() if line.startswith("note: "))
    assert notes == [
        f"note: {text}" for text in ("a skipped", "b skipped", "begin skipped", "bf16 is slow", "c skipped")
    ]
    assert "other" not in run.stdout


def test_a_missing_input_stops_only_what_needs_it(project: Path) -> None:
    stages = (project / "dvc.yaml").read_text()
    missing = stages.replace("begin a\n    deps:", "begin a\n    deps:\n      - /none/here")
    assert missing != stages
    (project / "dvc.yaml").write_text(missing)
    run = repro(project)
    assert run.returncode == 1 and run.stderr.startswith("failed: dvc.yaml:a: ")
    assert "/none/here" in run.stderr and len(run.stderr.splitlines()) == 1
    assert (project / "data/c.txt").exists() and not (project / "data/end.txt").exists()


def test_a_stage_that_is_always_killed_is_named(project: Path) -> None:
    (project / "die_c").touch()
    run = repro(project)
    assert run.returncode == 1 and "dvc.yaml:c: killed by SIGKILL 3 times" in run.stderr


def test_a_killed_stage_runs_again(project: Path, serial: dict[str, bytes]) -> None:
    (project / "wait_a").write_text("3")
    run = start(project, "python", "-m", "stages.pipeline.repro")
    wait_until((project / COPY / "data/b.txt").exists)
    victims = [child for child in psutil.Process(run.pid).children() if "forkserver" in str(child.cmdline())]
    for victim in victims:
        victim.kill()
    assert victims and run.wait() == 0
    assert results(project) == serial


def test_ctrl_c_ends_everything_and_the_next_run_goes_on(project: Path, serial: dict[str, bytes]) -> None:
    (project / "wait_c").write_text("60")
    run = start(project, "python", "-m", "stages.pipeline.repro")
    assert run.stdout is not None
    assert any(line.startswith("3 of 5") for line in run.stdout)  # begin, a and b have ended
    interrupted = time.monotonic()
    os.killpg(run.pid, signal.SIGINT)
    _, err = run.communicate()
    assert run.returncode == 130 and "stopped; the same command goes on from here" in err
    assert "Traceback" not in err
    assert time.monotonic() - interrupted < 30 and not alive(project)
    (project / "wait_c").unlink()
    run_again = repro(project)
    assert run_again.stdout.endswith("3 up to date, 2 ran\n") and results(project) == serial


def test_ctrl_c_while_libraries_load_leaves_no_traceback(project: Path, tmp_path: Path) -> None:
    loads = tmp_path / "loads"
    slow = f"open({str(loads)!r}, 'w').close()\nimport time\ntime.sleep(3)\nraise ImportError\n"
    (tmp_path / "torch.py").write_text(slow)
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    run = start(project, "python", "-m", "stages.pipeline.repro", PYTHONPATH=path)
    wait_until(loads.exists)
    os.killpg(run.pid, signal.SIGINT)
    assert run.communicate()[1] == "stopped; the same command goes on from here\n"
    assert run.returncode == 130


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(int(os.environ.get("KILLS", "1"))))
def test_killed_at_any_instant_and_started_again(project: Path, serial: dict[str, bytes], seed: int) -> None:
    for name in "abc":
        (project / f"wait_{name}").write_text("1")
    run = start(project, "python", "-m", "stages.pipeline.repro")
    time.sleep(random.Random(seed).uniform(2, 14))
    run.kill()
    run.wait()
    wait_until(lambda: not alive(project), seconds=60)
    assert repro(project).returncode == 0
    assert results(project) == serial


def test_a_second_run_says_that_it_waits_for_the_first(project: Path) -> None:
    (project / "wait_begin").write_text("5")
    run = start(project, "python", "-m", "stages.pipeline.repro")
    wait_until((project / COPY).exists)
    second = repro(project, "end")
    assert "make repro: waiting for another run of it to end" in second.stdout
    assert second.stdout.endswith("All 5 stages are up to date.\n")
    assert run.wait() == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--cluster", "slrum"], "error: CLUSTER 'slrum' given, expected one of slurm, pbs"),
        (["--cluster", "slurm", "--jobs", "0"], "error: JOBS 0 given, expected 1 or more"),
        (["--jobs", "-3"], "error: JOBS -3 given, expected 1 or more beside CLUSTER"),
        (["--jobs", "20"], "error: JOBS 20 given, expected 1 or more beside CLUSTER"),
    ],
)
def test_a_cluster_that_is_none(project: Path, arguments: list[str], said: str) -> None:
    run = repro(project, *arguments)
    assert run.returncode == 1 and run.stderr.count("\n") == 1 and run.stderr.startswith(said)


@pytest.mark.parametrize("name", ["x" * 120, "missing"])
def test_it_runs_with_a_folder_for_temporary_files_of_any_name(
    project: Path, serial: dict[str, bytes], name: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("temporary") / name
    if name != "missing":
        folder.mkdir()
    run = repro(project, TMPDIR=str(folder))
    assert run.returncode == 0, run.stderr
    assert results(project) == serial


def test_it_runs_without_git(project: Path, serial: dict[str, bytes]) -> None:
    (project / ".git").rename(project / "no_git")
    call(project, "dvc", "config", "--local", "core.no_scm", "true")
    assert repro(project).returncode == 0
    assert results(project) == serial

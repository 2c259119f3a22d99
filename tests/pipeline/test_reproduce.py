"""A study with its report, and another scale."""

import subprocess
from pathlib import Path
from typing import Any

import pytest
from changed_params import write_yaml
from commands import ROOT
from toy_project import add_study, call, make_toy_project, repro, results

from stages.parameters import params
from stages.pipeline.repro import bring_claims, reproduce
from stages.pipeline.working_copy import bring_checkout, choose_folder

SMOKE = "scales/smoke"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    project = make_toy_project(tmp_path)
    (project / ".gitignore").write_text("/scales/\n/wait_*\n")
    (project / ".dvcignore").write_text("/scales\n")
    return project


def test_a_study_runs_with_its_report_which_is_always_made_anew(
    project: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    expanded: list[str] = []
    monkeypatch.setattr("stages.studies.expand.expand", lambda root, name, scale: expanded.append(name))
    add_study(project)
    assert reproduce(project, [], "one", None, "here", 1)
    out = capfd.readouterr().out
    assert "3 ran" in out and "reports/report.html is left as it is" in out  # what it reads was never made
    assert reproduce(project, [], None, None, "here", 1)
    assert reproduce(project, [], "one", None, "here", 1)
    assert "1 ran" in capfd.readouterr().out
    locks = [(project / path).read_bytes() for path in ("dvc.lock", "studies/one/dvc.lock")]
    (project / "data/train.txt").unlink()
    assert reproduce(project, [], "one", None, "here", 1)
    assert "7 up to date, 1 ran" in capfd.readouterr().out and expanded == ["one"] * 3
    assert [(project / path).read_bytes() for path in ("dvc.lock", "studies/one/dvc.lock")] == locks


def test_the_report_s_part_of_readme_comes_with_it(tmp_path: Path) -> None:
    for folder, block, rest in (("copy", "new", "old text"), ("checkout", "old", "text edited meanwhile")):
        (tmp_path / folder).mkdir()
        text = f"{rest}\n<!-- claims: begin -->{block}<!-- claims: end -->\n"
        (tmp_path / folder / "README.md").write_text(text)
    bring_claims(tmp_path / "copy", tmp_path / "checkout")
    text = (tmp_path / "checkout/README.md").read_text()
    assert text == "text edited meanwhile\n<!-- claims: begin -->new<!-- claims: end -->\n"


def test_an_unknown_study_is_one_line(project: Path) -> None:
    run = repro(project, "--study", "none", PYTHONPATH=str(ROOT))
    assert run.returncode == 1 and run.stderr.startswith("error: study 'none' is not known")


def test_a_mistaken_focus_is_one_line_before_a_stage_runs(project: Path) -> None:
    text = (project / "params.yaml").read_text(encoding="utf-8")
    (project / "params.yaml").write_text(text.replace("init_std: null", "init_sd: 1"), encoding="utf-8")
    with (project / "dvc.yaml").open("a", encoding="utf-8") as file:
        file.write("  focus:\n    cmd: python -m toy nothing focus\n    params: [pe]\n")
    run = repro(project, PYTHONPATH=str(ROOT))
    assert run.returncode == 1 and run.stderr.startswith("error: pe.init_sd: 1 given, but learned has no")
    assert run.stderr.count("\n") == 1 and not list(project.glob("data/*.txt"))


def test_another_scale_leaves_the_checkout_as_it_is(project: Path) -> None:
    assert repro(project).returncode == 0
    (project / "reports").mkdir()
    (project / "reports/report.html").write_text("by hand")
    before = results(project) | {"params.yaml": (project / "params.yaml").read_bytes()}
    with (project / "dvc.yaml").open("a") as file:
        file.write("  scaled:\n    cmd: grep ^scale params.yaml > data/scaled.txt\n    params: [scale]\n")
        file.write("    outs: [data/scaled.txt]\n")
    run = repro(project, "--scale", "smoke")
    assert run.returncode == 0, run.stderr
    assert run.stdout.endswith("1 ran\n")  # the report is no stage here
    assert results(project) | {"params.yaml": (project / "params.yaml").read_bytes()} == before
    assert (project / SMOKE / "data/scaled.txt").read_text().startswith("scale: smoke ")
    assert (project / SMOKE / "data/end.txt").read_bytes() == before["end.txt"]
    assert "1 ran" in run.stdout and "5 from dvc's cache" in run.stdout
    assert "All 6 stages are up to date." in repro(project, "--scale", "smoke").stdout
    assert "up to date" in call(project / SMOKE, "dvc", "status")


def test_the_scale_s_folder_follows_the_checkout_and_keeps_what_it_made(project: Path) -> None:
    folder = choose_folder(project, "smoke")
    (project / "extra.py").touch()
    bring_checkout(project, folder, "")
    assert (folder / "extra.py").exists() and params.load(folder / "params.yaml").scale == "smoke"
    (folder / "data/a.txt").write_text("made there")
    (folder / "dvc.lock").write_text("its own")
    (project / "dvc.lock").write_text("schema: '2.0'\n")
    (project / "extra.py").unlink()
    (project / "toy.py").write_text("edited")
    bring_checkout(project, folder, "")
    assert not (folder / "extra.py").exists() and (folder / "toy.py").read_text() == "edited"
    assert (folder / "data/a.txt").exists() and (folder / "dvc.lock").read_text() == "its own"


@pytest.mark.parametrize(
    "written",
    ["scale : small", '"scale": small', "scale:\n  small # why", "? scale\n: 'small'", "scale: !!str small"],
)
def test_the_scale_is_changed_however_it_is_written_and_nothing_else(project: Path, written: str) -> None:
    path = project / "params.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("scale: small", written), encoding="utf-8")
    here = params.read(path)
    assert here["scale"] == "small"
    folder = choose_folder(project, "smoke")
    bring_checkout(project, folder, "")
    assert params.read(folder / "params.yaml") == here | {"scale": "smoke"}
    assert "# root of every random stream" in (folder / "params.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize("again", [False, True])
def test_readme_of_a_scale_keeps_its_own_claims(project: Path, again: bool) -> None:
    begin, end = "<!-- claims: begin -->", "<!-- claims: end -->"
    (project / "README.md").write_text(f"text\n{begin}published{end}\n")
    folder = choose_folder(project, "smoke")
    if again:
        bring_checkout(project, folder, "")
        (folder / "README.md").write_text(f"old text\n{begin}of smoke{end}\n")
    bring_checkout(project, folder, "")
    claims = "of smoke" if again else "\n"
    assert (folder / "README.md").read_text() == f"text\n{begin}{claims}{end}\n"


@pytest.mark.parametrize(
    ("path", "dep", "changes"),
    [
        ("data/own/a.csv", "\n    deps: [data/own]", {}),
        (
            "data/own/deep/a.csv",
            "\n    params: [grid.puzzles]",
            {"grid": {"puzzles": {"train": ["data/own/deep/a.csv"]}}},
        ),
        ("big/a.csv", "\n    params: [network]", {"network": {"adjacency": "./big/../big/a.csv"}}),
    ],
)
@pytest.mark.parametrize("scale", [None, "smoke"])
def test_own_files_in_a_folder_that_git_ignores_are_found(
    project: Path, path: str, dep: str, changes: dict[str, Any], scale: str | None
) -> None:
    (project / ".gitignore").write_text("/scales/\n/big\n")
    (project / path).parent.mkdir(parents=True)
    (project / path).write_text("mine")
    write_yaml(project / "params.yaml", params.read(project / "params.yaml") | changes)
    with (project / "dvc.yaml").open("a") as file:
        file.write(f"  copy:\n    cmd: cp {path} data/copied.txt{dep}\n    outs: [data/copied.txt]\n")
    assert reproduce(project, ["copy"], None, scale, "here", 1)
    assert (project / (SMOKE if scale else "") / "data/copied.txt").read_text() == "mine"


def test_the_scale_of_params_yaml_is_nothing_special(project: Path) -> None:
    scale = params.load(project / "params.yaml").scale
    assert choose_folder(project, scale) == choose_folder(project, None) == project


def test_an_unknown_scale_is_one_line_and_makes_nothing(project: Path) -> None:
    run = repro(project, "--scale", "hugh")
    assert run.returncode == 1 and run.stderr.count("\n") == 1
    assert run.stderr.startswith("error: SCALE 'hugh' is not known; expected one of ")
    assert not (project / "scales").exists()


def test_mistakes_of_the_checkout_are_one_line_with_the_cure(project: Path) -> None:
    text = (project / "params.yaml").read_text()
    (project / "params.yaml").write_text(text.replace("scale: small", "scale: smal"))
    assert "'smal' is not known; expected small" in repro(project).stderr
    (project / "params.yaml").write_text(text)
    subprocess.run(["rm", "-r", ".git"], cwd=project, check=True)  # as in a zip
    run = repro(project)
    assert run.stderr.count("\n") == 1 and "`dvc config --local core.no_scm true`" in run.stderr


def test_an_input_that_is_not_there_is_named_by_its_line_of_params_yaml(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    given = "params: [recordings.folder]\n    deps: [data/raw/recordings]\n    outs: [data/read.txt]\n"
    with (project / "dvc.yaml").open("a") as file:
        file.write(f"  read:\n    cmd: ls > data/read.txt\n    {given}")
    assert not reproduce(project, ["read"], None, None, "here", 1)
    failure = (
        "read failed: recordings.folder: data/raw/recordings not found; correct the path in params.yaml\n"
    )
    assert failure in capfd.readouterr().out

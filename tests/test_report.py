import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from commands import ROOT, call, own_studies
from reported_project import README, make_project

from stages import report
from stages.reporting import readme
from stages.reporting.groups import GROUPS, group_sections, order_studies
from stages.reporting.sections import read_section
from stages.reporting.whole import METRICS, REPORT, measure_focus
from stages.studies.tables import SCORES


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = make_project(tmp_path_factory.mktemp("project"), "Small | is *better*.")
    report.report(root)
    return root


def test_same_tables_same_bytes_in_another_locale_and_under_a_notebook(project: Path) -> None:
    """A notebook gives commands its backend for figures."""
    paths = [project / name for name in (report.FIGURE, REPORT, METRICS, "README.md")]
    before = [path.read_bytes() for path in paths]
    assert not [content for content in before if str(project).encode() in content]
    of_locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONPATH": str(ROOT)}
    backend = "module://matplotlib_inline.backend_inline"
    call(project, sys.executable, "-m", "stages", "report", **of_locale, MPLBACKEND=backend)
    assert before == [path.read_bytes() for path in paths]


def test_it_shows_what_ran_and_names_what_did_not(project: Path) -> None:
    html = (project / REPORT).read_text(encoding="utf-8")
    assert 'id="study-sigma"' in html and 'id="study-published"' not in html
    assert "<code>make study NAME=published</code>" in html
    assert 'src="studies/sigma/figure.png"' in html and 'id="slider"' in html


def test_metrics_are_means_of_the_focus(project: Path) -> None:
    metrics = json.loads((project / METRICS).read_text())
    assert metrics == {"grid": {"validation_accuracy": 0.75, "alignment": 0.15}}


def test_a_seed_of_the_focus_that_diverged_is_in_no_mean() -> None:
    named = ("grid", "focus", "", 0, "validation", "accuracy")
    table = pd.DataFrame([(*named, 0.5), (*named, np.nan)], columns=SCORES)
    assert measure_focus(table) == {"grid": {"validation_accuracy": 0.5}}
    assert measure_focus(table[1:]) == {}


@pytest.mark.parametrize(("lost", "said"), [([1.0, 0.0, 1.0], 2), ([1.0, 1.0], 2), ([1.0], 1)])
def test_metrics_say_how_many_seeds_of_the_focus_diverged(lost: list[float], said: int) -> None:
    """A score would be missing without a word if all of them diverged."""
    rows = [("network", "focus", "", seed, "train", "diverged", value) for seed, value in enumerate(lost)]
    assert measure_focus(pd.DataFrame(rows, columns=SCORES)) == {"network": {"diverged_seeds": said}}


def test_readme_changes_between_its_marks_alone(project: Path) -> None:
    content = (project / "README.md").read_bytes()
    before, after = README.split(b"old")
    assert content.startswith(before) and content.endswith(after)
    lines = content.removeprefix(before).removesuffix(after).decode().splitlines()
    (ran,) = (line for line in lines if line.endswith("| `sigma` |"))
    says, verdict = "| Small \\| is \\*better\\*.", "holds, before"
    assert ran.startswith(
        f"{says} | {verdict} | grid, alignment, learned σ 0.2 − learned σ 2: 0.60 − 0.00 = 0.60 ["
    )
    assert ran.endswith("] (3 seeds) | `sigma` |")
    (missing,) = (line for line in lines if line.endswith("| `published` |"))
    assert "| not run, before |  |" in missing


@pytest.mark.parametrize("absent", [["published"], ["sigma"], ["published", "sigma"]])
def test_it_does_without_studies_that_are_not_here(tmp_path: Path, absent: list[str]) -> None:
    root = make_project(tmp_path)
    for name in absent:
        (root / f"studies/{name}.yaml").unlink()
        shutil.rmtree(root / f"reports/studies/{name}", ignore_errors=True)
    if "sigma" in absent:
        (root / "reports/maps.npz").unlink()
    report.report(root)
    html = (root / REPORT).read_text(encoding="utf-8")
    assert [name for name in absent if f"NAME={name}" in html or f"study-{name}" in html] == []
    assert ('id="study-sigma"' in html) == ("sigma" not in absent)
    assert (root / report.FIGURE).stat().st_size > 1000


def test_readme_without_marks_is_refused(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# Title\n")
    with pytest.raises(ValueError, match=r"README.md: expected the lines <!-- claims: begin -->"):
        readme.insert_block(tmp_path, "")


def test_readme_carries_the_banner(project: Path) -> None:
    block = readme.write_block(project, [read_section(project, "sigma")], "Smoke.")
    assert block.startswith("\n> Smoke.\n\n| mean ")


def test_studies_come_in_reading_order(project: Path) -> None:
    (project / "studies/another.yaml").write_text("")
    assert order_studies(project) == ["sigma", "published", "another"]
    (project / "studies/another.yaml").unlink()


def test_studies_come_in_groups_and_those_of_none_last(project: Path) -> None:
    section = read_section(project, "sigma")
    groups = group_sections([replace(section, name=name) for name in ("sigma", "probe", "mine", "published")])
    named = {title: [one.name for one in sections] for title, sections in groups.items()}
    assert [*named.values()] == [["sigma", "published"], ["probe"], ["mine"]]
    assert [*named][0] == "The main result" and [*named][-1] == "Other studies"


def test_every_study_has_its_group() -> None:
    grouped = [name for names in GROUPS.values() for name in names]
    assert sorted(grouped) == sorted(own_studies())

"""Pages, README and metrics are compared with the tables behind them: every kind of edit is found."""

from collections.abc import Callable
from pathlib import Path

import pytest
from reported_project import make_project

from stages.files.artifacts import write_json
from stages.parameters import params
from stages.reporting import readme
from stages.reporting.page import render, study_page
from stages.reporting.sections import read_section
from stages.reporting.whole import METRICS, REPORT, STUDY, make_page, measure_focus, read_maps, read_scores
from stages.reviewing.pages import hold_pages

PAGE, MISSING = "reports/studies/sigma/page.html", "reports/studies/published/page.html"
SECOND = f"{readme.BEGIN}\n| All of it | holds |\n{readme.END}\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Make all that the report writes but its pictures."""
    root = make_project(tmp_path)
    page = make_page(root, params.load(root / params.FILE), read_maps(root))
    (root / REPORT).write_text(render(page), encoding="utf-8")
    (root / PAGE).write_text(study_page(read_section(root, "sigma"), page.scale), encoding="utf-8")
    write_json(root / METRICS, measure_focus(read_scores(root, STUDY)))
    readme.insert_block(root, readme.write_block(root, page.sections, page.banner))
    return root


def find_faults(root: Path) -> dict[str, list[str]]:
    return {name: faults for name, _, _, faults in hold_pages(root) if faults}


def test_what_was_made_of_the_tables_has_no_fault(project: Path) -> None:
    assert [name for name, *_ in hold_pages(project)] == ["README.md", PAGE, str(REPORT), str(METRICS)]
    assert find_faults(project) == {}


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        (PAGE, '<span class="badge holds">holds', '<span class="badge opposed">opposed', "e opposed\">opp"),
        (PAGE, "</html>", "</html>\n<p>More.</p>", "committed '<p>More.</p>'; here ''"),
        (PAGE, "</body>\n</html>\n", "", "committed ''; here '</body>'"),
        (str(REPORT), "<b>0.60</b>", "<b>0.98</b>", "<b>0.98</b>"),
        (str(REPORT), '"share": ', '"share": 1', '"share": 1'),
        (str(METRICS), "0.75", "0.95", "'validation_accuracy': 0.95}"),
    ],
)  # fmt: skip
def test_an_edit_is_told_by_its_place(name: str, old: str, new: str, said: str, project: Path) -> None:
    text = (project / name).read_text(encoding="utf-8")
    assert old in text
    (project / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    ((fault,),) = find_faults(project).values()
    assert said in fault and "; here " in fault and len(fault) < 400


def test_a_page_of_a_study_that_did_not_run_follows_from_nothing(project: Path) -> None:
    (project / MISSING).parent.mkdir()
    (project / MISSING).write_text((project / PAGE).read_text())
    assert [*find_faults(project)] == [MISSING]


@pytest.mark.parametrize(
    "edited", [lambda text: text + SECOND, lambda text: SECOND + text, lambda text: text + readme.END]
)
def test_a_second_table_in_the_readme_is_told_and_nothing_is_written(
    edited: Callable[[str], str], project: Path
) -> None:
    text = (project / "README.md").read_text(encoding="utf-8")
    (project / "README.md").write_text(edited(text), encoding="utf-8")
    ((fault,),) = find_faults(project).values()
    assert fault.startswith("README.md: expected the lines ") and "delete what is there twice" in fault
    with pytest.raises(ValueError, match="each once"):
        readme.insert_block(project, "")

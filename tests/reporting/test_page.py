import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from reported_project import make_project

from stages.parameters import params
from stages.reporting.page import WORDS, render, study_page
from stages.reporting.pictures import Picture
from stages.reporting.sections import read_section
from stages.reporting.whole import Report, make_page
from stages.studies.tables import report_path

BAD = '"><img src=x onerror="alert(1)"></script><script>alert(1)</script>'


class Elements(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.names.append(tag)


def whole(root: Path, says: str) -> str:
    make_project(root, says)
    return render(make_page(root, params.load(root / params.FILE), {}))


def test_whatever_comes_from_data_is_text(tmp_path: Path) -> None:
    harmless, bad = whole(tmp_path / "a", "Harmless."), whole(tmp_path / "b", BAD)
    assert Elements(bad).names == Elements(harmless).names
    assert harmless.count("Harmless.") >= 5 and BAD not in bad


def test_data_in_scripts_hold_no_bracket() -> None:
    picture, moved = Picture("figure.png", "Seen."), {"tasks": {}, "ticks": [[0.0, BAD]]}
    html = render(Report(title="t", lead="l", sections=[], figure=picture, brain=picture, morph=moved))
    (stored,) = re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', html)
    assert "<" not in stored and "alert(1)" in stored


def test_nothing_is_asked_of_a_network_and_links_of_the_page_itself_lead_somewhere(tmp_path: Path) -> None:
    html = whole(tmp_path, "Harmless.")
    assert "default-src 'none'" in html
    assert not re.search(r"""(src|href)=["'](https?:)?//|url\(|@import|fetch\(|XMLHttpRequest""", html)
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids)) and set(re.findall(r'href="#([^"]+)"', html)) <= set(ids)
    assert "slider" not in ids  # as there are no maps


def test_a_study_s_page_lies_in_its_folder_and_has_means(tmp_path: Path) -> None:
    html = study_page(read_section(make_project(tmp_path), "sigma"), "small")
    assert "<h1>Question of Small is better.?</h1>" in html and 'src="figure.png"' in html
    assert 'href="differences.csv"' in html and 'href="../../report.html"' in html
    assert "<td>Latin-square puzzles<td>validation accuracy<td>under study<td>0.75 " in html
    headings = [
        re.sub("<.*?>", "", one) for one in re.findall(r"<h[12].*?</h[12]>|<summary>How.*?</summary>", html)
    ]
    assert headings[1:] == ["Claims", "Design and settings", "How it was done", "Tables"]


@pytest.mark.parametrize(("scale", "shown"), [("small", 0), ("smoke", 1)])
def test_a_banner_says_that_smoke_says_nothing(tmp_path: Path, scale: str, shown: int) -> None:
    file = make_project(tmp_path) / params.FILE
    text = re.sub(r"(?m)^scale: \w+", f"scale: {scale}", file.read_text(encoding="utf-8"))
    file.write_text(text, encoding="utf-8")
    for html in (
        render(make_page(tmp_path, params.load(file), {})),
        study_page(read_section(tmp_path, "sigma"), scale),
    ):
        assert html.count(f'role="alert">{WORDS["banner"]}') == shown


def test_every_claim_stands_once_in_the_report_and_leads_to_its_tests(tmp_path: Path) -> None:
    html = whole(tmp_path, "Harmless.")
    rows = re.findall(r"<tr data-verdict=.*?</tr>", html, re.DOTALL)
    assert len(rows) == 4 and "data-main" in rows[0] and 'data-verdict="not run"' in rows[-1]
    (link,) = re.findall(r'href="(.*?)"', rows[0])
    assert link == "studies/sigma/page.html#sigma-better"
    assert f'id="{link.partition("#")[2]}"' in study_page(read_section(tmp_path, "sigma"), "small")
    assert "2 claims: holds 1, not run 1" in html


def test_pages_say_who_made_the_scores(tmp_path: Path) -> None:
    """From the table in git, so that the page is the same wherever it is made."""
    assert WORDS["unknown_origin"] + " sigma." in whole(tmp_path, "Harmless.")
    rows = "cell,commit,processor,device,precision,torch,python,seconds\na,abc,Zen,cpu,fp32,2.1,3.11,1800\n"
    (tmp_path / report_path("sigma", "made_by")).write_text(rows + "b,def,Zen,,,2.1,3.11,5400\n")
    html = render(make_page(tmp_path, params.load(tmp_path / params.FILE), {}))
    made = r'sigma</th><td class="n">2<td>abc, def<td>Zen<td>cpu<td>fp32<td>2.1<td>3.11<td class="n">2.0</tr>'
    assert made in html and WORDS["unknown_origin"] not in html

import json
import re
from html.parser import HTMLParser
from typing import Any

import pandas as pd

from stages.reporting.page import page
from stages.reporting.parts import Column, Figure, Section, Table

BAD = "</script><script>alert(1)</script>"


class Text(HTMLParser):
    """Counts of elements, and all text outside scripts and styles."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.elements.append(tag)

    def handle_data(self, data: str) -> None:
        if self.elements[-1:] not in (["script"], ["style"]):
            self.text += data


def whole(name: str) -> str:
    frame = pd.DataFrame({"encoding": [name], "value": [1.0]})
    table = Table("t", name, frame, [Column("encoding", name), Column("value", "value", 2)])
    task = {"title": name, "plane": name, "reference": name, "maps": {name: ""}, "extent": 1.0}
    section = Section(
        key="one",
        title=name,
        question=name,
        paragraphs=[name],
        figures=[Figure(name, "drawn.png", name, [name])],
        tables=[table],
        morph={"tasks": {name: task}, "ticks": [[0.0, name]], "caption": name},
    )
    return page(name, name, [section])


def test_whatever_comes_from_data_is_text() -> None:
    harmless, bad = Text(whole("harmless")), Text(whole(BAD))
    assert bad.elements == harmless.elements
    assert bad.text.count(BAD) == harmless.text.lower().count("harmless") >= 10


def test_data_in_scripts_hold_no_bracket() -> None:
    (stored,) = re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', whole(BAD))
    assert "<" not in stored
    assert json.loads(stored)["tasks"][BAD]["plane"] == BAD


def test_nothing_is_asked_of_a_network() -> None:
    html = whole("harmless")
    assert "default-src 'none'" in html
    assert not re.search(r"""(src|href)=["'](https?:)?//|url\(|@import|fetch\(|XMLHttpRequest""", html)


def test_cells_and_captions_stand_in_the_page() -> None:
    html = whole("harmless")
    assert "<td class=t>harmless<td>1.00" in html
    assert "<figcaption>harmless" in html and "<h3>harmless</h3>" in html
    assert '<a href="harmless">harmless</a>' in html

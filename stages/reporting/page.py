"""A page as one HTML file with its style, script and data; its pictures lie beside it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from stages.figures import colours
from stages.reporting.sections import Section

FOLDER = Path(__file__).parent
SMOKE = "smoke"  # a scale for tests
WORDS: dict[str, Any] = yaml.safe_load((FOLDER / "words.yaml").read_text(encoding="utf-8"))
PALETTE = {name: getattr(colours, name.upper()) for name in ("blue", "orange", "green", "purple", "sky")}


@dataclass(frozen=True, kw_only=True)
class Page:
    """Hold what a template writes out; everything in it is escaped."""

    template: ClassVar[Path]

    title: str
    lead: str
    banner: str = ""


@dataclass(frozen=True, kw_only=True)
class StudyPage(Page):
    """The page of one study."""

    template: ClassVar[Path] = FOLDER / "study.html.j2"

    section: Section


def render(page: Page) -> str:
    """Write a page; whatever comes from data is escaped, in JSON too. Style and script are of this folder."""
    environment = Environment(
        loader=FileSystemLoader([FOLDER, page.template.parent]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.policies["json.dumps_kwargs"] = {"sort_keys": True, "allow_nan": False}
    text = environment.get_template(page.template.name).render(
        page=page,
        words=WORDS,
        palette=PALETTE,
        style=Markup((FOLDER / "style.css").read_text(encoding="utf-8")),
        script=Markup((FOLDER / "script.js").read_text(encoding="utf-8")),
    )
    # no line ends between \u03c3 and its value
    return text.lstrip().replace("\u03c3 ", "\u03c3\u00a0")


def study_page(section: Section, scale: str) -> str:
    """Write the page of one study, reports/studies/<name>/page.html; scale: the usual one."""
    study = section.study
    lead, banner = study.answer or WORDS["no_answer"], banner_at(study.scale or scale)
    return render(StudyPage(title=study.question, lead=lead, banner=banner, section=section))


def banner_at(scale: str) -> str:
    """Say above all else that results of a scale for tests say nothing."""
    return str(WORDS["banner"]) if scale == SMOKE else ""

"""A page as one HTML file with its style, script and data; its pictures lie beside it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from stages.figures import colours
from stages.reporting.sections import Section, count_verdicts, folder_of, read_section
from stages.studies.schema import list_studies

FOLDER = Path(__file__).parent
SMOKE = "smoke"  # a scale for tests
WORDS: dict[str, Any] = yaml.safe_load((FOLDER / "words.yaml").read_text(encoding="utf-8"))
PALETTE = {name: getattr(colours, name.upper()) for name in ("blue", "orange", "green", "purple", "sky")}


@dataclass(frozen=True)
class Page:
    """What the template writes out; everything in it is escaped."""

    title: str
    lead: str
    sections: Sequence[Section]
    whole: bool = False  # the report of all studies, not the page of one
    banner: str = ""
    morph: Mapping[str, Any] = field(default_factory=dict)  # what script.js moves with the slider
    sizes: Sequence[Mapping[str, Any]] = ()
    scale: str = ""

    @property
    def ran(self) -> list[Section]:
        return [section for section in self.sections if section.ran]

    @property
    def counted(self) -> str:
        return count_verdicts(self.sections)

    @property
    def missing(self) -> list[Section]:
        """Studies that did not run here."""
        return [section for section in self.sections if not section.ran]


def render(page: Page, template: Path = FOLDER / "report.html.j2", **values: Any) -> str:
    """The page; whatever comes from data is escaped, in JSON too. Style and script are of this folder.

    template: one that extends this folder's, with the values that it names.
    """
    environment = Environment(
        loader=FileSystemLoader([FOLDER, template.parent]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.policies["json.dumps_kwargs"] = {"sort_keys": True, "allow_nan": False}
    text = environment.get_template(template.name).render(
        values,
        page=page,
        words=WORDS,
        palette=PALETTE,
        style=Markup((FOLDER / "style.css").read_text(encoding="utf-8")),
        script=Markup((FOLDER / "script.js").read_text(encoding="utf-8")),
    )
    # no line ends between \u03c3 and its value
    return text.lstrip().replace("\u03c3 ", "\u03c3\u00a0")


def order_studies(root: Path) -> list[str]:
    """All studies, as a reader should meet them."""
    order = {name: place for place, name in enumerate(WORDS["order"])}
    return sorted(list_studies(root), key=lambda name: order.get(name, len(order)))


def read_sections(root: Path) -> list[Section]:
    """All studies from their tables, in that order."""
    return [read_section(root, name, folder_of(name)) for name in order_studies(root)]


def study_page(section: Section, scale: str) -> str:
    """The page of one study, reports/studies/<name>/page.html; scale: the usual one."""
    study = section.study
    lead, banner = study.answer or WORDS["no_answer"], banner_at(study.scale or scale)
    return render(Page(study.question, lead, [section], banner=banner))


def banner_at(scale: str) -> str:
    """What is said above all else of results that say nothing."""
    return str(WORDS["banner"]) if scale == SMOKE else ""

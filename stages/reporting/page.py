"""The report as one HTML page: style, script and data inside it, nothing to be fetched."""

from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from stages.figures import style
from stages.reporting.section import Section

FOLDER = Path(__file__).parent
PALETTE = {
    name: getattr(style, name.upper()) for name in ("blue", "orange", "green", "purple", "sky", "amber")
}


def page(title: str, subtitle: str, sections: Sequence[Section]) -> str:
    """All sections in order, with a table of contents.

    Whatever comes from data is escaped, in JSON too; style and script are this project's own files.
    """
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.policies["json.dumps_kwargs"] = {"sort_keys": True, "allow_nan": False}
    return environment.get_template("report.html.j2").render(
        title=title,
        subtitle=subtitle,
        sections=sections,
        palette=PALETTE,
        style=Markup((FOLDER / "style.css").read_text()),
        script=Markup((FOLDER / "script.js").read_text()),
    )

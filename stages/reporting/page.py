"""A page as one HTML file with its style, script and data; its pictures lie beside it."""

from collections.abc import Sequence

from markupsafe import Markup

from stages.figures import style
from stages.reporting.parts import Section
from stages.reporting.templates import FOLDER, load_templates

PALETTE = {
    name: getattr(style, name.upper()) for name in ("blue", "orange", "green", "purple", "sky", "amber")
}


def page(title: str, subtitle: str, sections: Sequence[Section]) -> str:
    """All sections in order, with a table of contents.

    Whatever comes from data is escaped, in JSON too; style and script are this project's own files.
    """
    environment = load_templates(autoescape=True)
    environment.policies["json.dumps_kwargs"] = {"sort_keys": True, "allow_nan": False}
    return environment.get_template("report.html.j2").render(
        title=title,
        subtitle=subtitle,
        sections=sections,
        palette=PALETTE,
        style=Markup((FOLDER / "style.css").read_text()),
        script=Markup((FOLDER / "script.js").read_text()),
    )

"""A page as one HTML file: style, script, data and pictures inside it, nothing to be fetched."""

import base64
import io
from collections.abc import Sequence
from pathlib import Path

from markupsafe import Markup
from PIL import Image

from stages.figures import style
from stages.reporting.parts import Section
from stages.reporting.templates import FOLDER, load_templates

PALETTE = {
    name: getattr(style, name.upper()) for name in ("blue", "orange", "green", "purple", "sky", "amber")
}
COLOURS = 128  # of a picture: the figures' few and the greys of their letters


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


def picture(path: Path) -> str:
    """The PNG at `path` as a data URI: the same pixels in fewer colours, as lossless WebP."""
    with Image.open(path) as drawn:
        # an octree keeps thin coloured lines, which a median cut gives to the greys
        few = drawn.convert("RGB").quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    content = io.BytesIO()
    few.convert("RGB").save(content, "WEBP", lossless=True, quality=100, method=4)
    return f"data:image/webp;base64,{base64.b64encode(content.getvalue()).decode()}"

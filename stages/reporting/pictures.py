"""Figures as small pictures inside the page."""

import io
from pathlib import Path

from PIL import Image

from stages.reporting.section import data_uri

COLOURS = 128  # of a picture: the figures' few and the greys of their letters


def picture(path: Path) -> str:
    """The PNG at `path` as a data URI: the same pixels in fewer colours, as lossless WebP."""
    with Image.open(path) as drawn:
        # an octree keeps thin coloured lines, which a median cut gives to the greys
        few = drawn.convert("RGB").quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    content = io.BytesIO()
    few.convert("RGB").save(content, "WEBP", lossless=True, quality=100, method=4)
    return data_uri("image/webp", content.getvalue())

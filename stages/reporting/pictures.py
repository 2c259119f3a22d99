"""A picture beside a page: where it lies, how large it is, and what a reader is told who does not see it."""

from dataclasses import dataclass
from math import ceil
from pathlib import Path

from PIL import Image

from stages.figures.printed import DOTS, SMALL

INCH = 114  # pixels of a page for an inch of a picture
LEAST = 11  # pixels of a page that the smallest letters need


@dataclass(frozen=True)
class Picture:
    """A picture and its size on the page, so that nothing moves when it loads; none where it is missing."""

    source: str  # in its folder
    description: str
    caption: str = ""
    size: tuple[int, int] | None = None  # width and height

    @property
    def narrowest(self) -> int:
        """Return the width below which a page scrolls the picture, so that its letters stay readable."""
        return ceil(self.size[0] * LEAST / (SMALL / 72 * INCH)) if self.size else 0


def measure_picture(path: Path) -> tuple[int, int] | None:
    """Read how wide and how high a picture is on a page; nothing where it is not there."""
    if not path.is_file():
        return None
    with Image.open(path) as picture:
        dots, _ = picture.info.get("dpi", (DOTS, DOTS))
        return round(picture.width / dots * INCH), round(picture.height / dots * INCH)

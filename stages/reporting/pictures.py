"""A picture beside a page: where it lies, how large it is, and what a reader is told who does not see it."""

from dataclasses import dataclass
from pathlib import Path

from PIL import Image

DENSE = 1.4  # pixels of a picture per pixel of a page


@dataclass(frozen=True)
class Picture:
    """A picture and its size on the page, so that nothing moves when it loads; none where it is missing."""

    source: str  # in its folder
    description: str
    caption: str = ""
    size: tuple[int, int] | None = None  # width and height


def measure_picture(path: Path) -> tuple[int, int] | None:
    """Read how wide and how high a picture is on a page; nothing where it is not there."""
    if not path.is_file():
        return None
    with Image.open(path) as picture:
        return round(picture.width / DENSE), round(picture.height / DENSE)

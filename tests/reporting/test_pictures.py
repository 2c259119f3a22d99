from pathlib import Path

import pytest
from PIL import Image

from stages.figures.printed import SMALL
from stages.reporting.pictures import INCH, LEAST, Picture, measure_picture


@pytest.mark.parametrize("dots", [160, 100])
def test_letters_are_as_large_on_the_page_whatever_the_dots(tmp_path: Path, dots: int) -> None:
    Image.new("P", (10 * dots, 5 * dots)).save(tmp_path / "figure.png", dpi=(dots, dots))
    assert measure_picture(tmp_path / "figure.png") == (10 * INCH, 5 * INCH)


def test_a_page_does_not_shrink_letters_below_eleven_pixels() -> None:
    picture = Picture("figure.png", "Seen.", size=(8 * INCH, INCH))
    shrunk = picture.narrowest / (8 * INCH)
    assert shrunk < 1 and SMALL / 72 * INCH * shrunk >= LEAST
    assert Picture("figure.png", "Seen.").narrowest == 0


def test_a_picture_that_is_not_there_has_no_size(tmp_path: Path) -> None:
    assert measure_picture(tmp_path / "figure.png") is None

from pathlib import Path

from PIL import Image

from stages.reporting.pictures import measure_picture


def test_a_picture_keeps_its_shape_on_the_page(tmp_path: Path) -> None:
    Image.new("P", (1400, 700)).save(tmp_path / "figure.png")
    assert measure_picture(tmp_path / "figure.png") == (1000, 500)


def test_a_picture_that_is_not_there_has_no_size(tmp_path: Path) -> None:
    assert measure_picture(tmp_path / "figure.png") is None

import base64
import io
from pathlib import Path

import numpy as np
from PIL import Image

from stages.reporting.pictures import picture


def test_a_picture_keeps_its_few_colours(tmp_path: Path) -> None:
    pixels = np.full((40, 60, 3), 255, np.uint8)
    pixels[10], pixels[20] = (213, 94, 0), (0, 114, 178)  # thin lines, orange and blue
    Image.fromarray(pixels).save(tmp_path / "drawn.png")
    kind, content = picture(tmp_path / "drawn.png").split(",")
    with Image.open(io.BytesIO(base64.b64decode(content))) as small:
        shown = np.asarray(small.convert("RGB")).astype(int)
    assert kind == "data:image/webp;base64"
    assert np.abs(shown - pixels).max() <= 8

from pathlib import Path

import pandas as pd
import pytest

from stages.files.artifacts import write_csv
from stages.variations import draw

SCORED = {"scale": "smoke", "task": "grid", "variation": "usual", "split": "validation", "metric": "accuracy"}
NUMBERS = {"a": "small", "b": "large", "n": 3, "mean_a": 0.9, "mean_b": 0.3, "difference": 0.6}
TABLE = pd.DataFrame([SCORED | NUMBERS | {"low": 0.5, "high": 0.7, "effect_size": 1.0}])


def test_the_same_table_gives_the_same_bytes(tmp_path: Path) -> None:
    write_csv(tmp_path / draw.TABLE, TABLE)
    drawn = []
    for _ in range(2):
        draw.main(tmp_path)
        drawn.append({path.name: path.read_bytes() for path in (tmp_path / draw.PAGE).parent.iterdir()})
    assert drawn[0] == drawn[1] and set(drawn[0]) == {"effects.png", "effects.svg", "page.html"}


def test_without_a_table_the_cure_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="python -m stages.variations.gather"):
        draw.main(tmp_path)

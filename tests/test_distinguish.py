from pathlib import Path

import numpy as np
import yaml

from stages import distinguish
from stages.distinguish import count_distinct_rows
from stages.files.artifacts import read_csv

ROOT = Path(__file__).parents[1]
ROWS = np.random.default_rng(0).normal(size=(5, 3))
SWEEP = {  # with the rows that differ
    "focus": (12, {}),
    "none": (1, {"scheme": "none"}),
    "toeplitz_bias": (1, {"scheme": "toeplitz_bias"}),
    "toeplitz_bias_l2": (12, {"scheme": "toeplitz_bias", "normaliser": "l2"}),
    "gau": (12, {"scheme": "toeplitz_bias", "block": "gau", "normaliser": "exp_mean"}),
    "gau_softmax": (1, {"scheme": "toeplitz_bias", "block": "gau", "normaliser": "softmax"}),
    "markers": (12, {"scheme": "toeplitz_bias", "markers": "cls_sep"}),
}
TOO_NARROW = {"scheme": "rope", "fraction": 0.1}  # no pair of 16 columns, two of a wider head's 40


def test_repeated_rows_count_once_wherever_they_stand() -> None:
    assert count_distinct_rows(ROWS) == 5
    assert count_distinct_rows(ROWS[[0, 1, 2, 2, 1, 0]]) == 3
    assert count_distinct_rows(ROWS[[4, 4, 4]]) == 1


def test_rounding_makes_no_row_distinct_and_a_small_difference_does() -> None:
    for size in (1e-8, 1.0, 1e8):
        rows = size * ROWS[[0, 0, 1]]
        assert count_distinct_rows(rows * (1 + 1e-14 * ROWS[:3])) == 2
        rows[0, 1] += 1e-6 * np.abs(rows).max()
        assert count_distinct_rows(rows) == 3


def test_rows_of_every_configuration_and_draw(tmp_path: Path) -> None:
    values = yaml.safe_load((ROOT / "params.yaml").read_text())
    configurations = {name: values for name, (_, values) in SWEEP.items() if name != "focus"}
    values["sweep"]["probe"] = configurations | {"too_narrow_here": TOO_NARROW}
    (tmp_path / "params.yaml").write_text(yaml.safe_dump(values))
    distinguish.main(tmp_path)
    table = read_csv(tmp_path / distinguish.DISTINCT)
    assert list(table.columns) == ["configuration", "draw", "distinct_rows", "n"]
    found = table.groupby("configuration").distinct_rows.apply(list).to_dict()
    assert found == {name: [rows] * distinguish.DRAWS for name, (rows, _) in SWEEP.items()}

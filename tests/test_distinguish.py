from pathlib import Path

import yaml

from stages import distinguish
from stages.files.artifacts import read_csv

ROOT = Path(__file__).parents[1]
EXPECTED = {
    "focus": 12,
    "none": 1,
    "toeplitz_bias": 1,
    "toeplitz_bias_l2": 12,
    "gau": 12,
    "gau_softmax": 1,
    "markers": 12,
}
SWEEP = {
    "none": {"scheme": "none"},
    "toeplitz_bias": {"scheme": "toeplitz_bias"},
    "toeplitz_bias_l2": {"scheme": "toeplitz_bias", "normaliser": "l2"},
    "gau": {"scheme": "toeplitz_bias", "block": "gau", "normaliser": "exp_mean"},
    "gau_softmax": {"scheme": "toeplitz_bias", "block": "gau", "normaliser": "softmax"},
    "markers": {"scheme": "toeplitz_bias", "markers": "cls_sep"},
    "too_narrow_here": {"scheme": "rope", "fraction": 0.1},  # no pair of 16 columns, two of a wider head's 40
}


def test_rows_of_every_configuration_and_draw(tmp_path: Path) -> None:
    values = yaml.safe_load((ROOT / "params.yaml").read_text())
    values["sweep"]["probe"] = SWEEP
    (tmp_path / "params.yaml").write_text(yaml.safe_dump(values))
    distinguish.main(tmp_path)
    table = read_csv(tmp_path / distinguish.DISTINCT)
    assert list(table.columns) == ["configuration", "draw", "distinct_rows", "n"]
    found = table.groupby("configuration").distinct_rows.apply(list).to_dict()
    assert found == {name: [rows] * distinguish.DRAWS for name, rows in EXPECTED.items()}

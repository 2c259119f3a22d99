"""Files of rotary frequencies, slowed in ways that are known beforehand."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from measured_files import measured

from stages.core.encodings.rope_scaled import slow_down
from stages.measure_table.tables import Asked

NOISE = np.random.default_rng(0)


def test_rotary_slowed_one_by_one(tmp_path: Path) -> None:
    slowed = np.linspace(1, 64, 48) ** np.linspace(0.2, 1, 48)
    found = measured(tmp_path, {"rotary_emb.inv_freq": 1e4 ** -(np.arange(48) / 48) / slowed}, Asked(""))
    assert found.set_index("measure").value["geometric"] == 0
    page = (tmp_path / "out/page.html").read_text(encoding="utf-8")
    assert "not geometric: pairs are slowed by numbers of their own, as in LongRoPE" in page
    assert ">nan<" not in page


@pytest.mark.parametrize(
    ("method", "base", "said"),
    [
        ("interpolation", 1e4, "as of linear interpolation by 4"),
        ("ntk", 40889.9, "geometric throughout"),
        ("yarn", 1e4, "not geometric from pair 17 of 64 on, counted from 0: the last turns 4 times slower"),
    ],
)
def test_rotary(
    method: str, base: float, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arrays = {
        "embed_tokens.weight": NOISE.normal(size=(100, 16)),
        "rotary_emb.inv_freq": slow_down(method, 128, 2048, 4),
    }
    found = measured(tmp_path, arrays, Asked("")).set_index("measure").value
    assert found["base"] == pytest.approx(base, rel=1e-4)
    assert said in (tmp_path / "out/page.html").read_text(encoding="utf-8")
    each = pd.read_csv(tmp_path / "out/frequencies.csv")
    np.testing.assert_allclose(each.wavelength * each.frequency, 2 * np.pi)

import re

import numpy as np
import pandas as pd
import pytest
import torch

from stages.core.encodings.rope_scaled import slow_down
from stages.core.frequencies import measure_frequencies
from stages.core.settings.errors import InputError


def test_frequencies_are_a_vector_whatever_its_axes() -> None:
    series = 1e4 ** -(np.arange(16) / 16)
    for vector in (series[None], series[:, None], series[None, None], pd.DataFrame({"inv_freq": series})):
        assert measure_frequencies(vector).base == pytest.approx(1e4)
    for matrix in (np.stack([series] * 2, 1), np.stack([series * 2.0**-h for h in range(8)])):
        with pytest.raises(InputError, match=re.escape(f"frequencies of shape {matrix.shape}, expected [m]")):
            measure_frequencies(matrix)


@pytest.mark.parametrize("kind", [torch.float64, torch.float32, torch.bfloat16])
@pytest.mark.parametrize(
    ("method", "base", "first", "geometric", "slowed"),
    [
        ("none", 1e4, 1, 64, 1),
        ("interpolation", 1e4, 0.25, 64, 1),
        ("ntk", 1e4 * 4 ** (64 / 63), 1, 64, 1),
        ("yarn", 1e4, 1, 17, 4),
    ],
)
def test_frequencies_of_each_scaling(
    method: str, base: float, first: float, geometric: int, slowed: float, kind: torch.dtype
) -> None:
    stored = torch.tensor(
        slow_down(method if method != "none" else "yarn", 128, 2048, 1 if method == "none" else 4)
    )
    found = measure_frequencies(stored.to(kind))
    assert found.base == pytest.approx(base, rel=0.02) and found.first == pytest.approx(first)
    assert abs(found.geometric - geometric) <= 1 and found.slowed == pytest.approx(slowed, rel=0.02)


def test_frequencies_that_are_slowed_one_by_one_have_no_base() -> None:
    slowed = np.linspace(1, 64, 48) ** np.linspace(0.2, 1, 48)  # as the factors of LongRoPE rise
    for kind in (torch.float32, torch.bfloat16):
        found = measure_frequencies(torch.tensor(1e4 ** -(np.arange(48) / 48) / slowed).to(kind))
        assert found.geometric == 0 and np.isnan([found.base, found.ratio, found.slowed]).all()
        assert np.isfinite(found.wavelengths).all() and found.turning == 48


def test_frequencies_that_rest_or_rise() -> None:
    found = measure_frequencies([1, 0.1, 0.01, 0])
    assert found.base == pytest.approx(1e4) and found.turning == 3 and found.wavelengths[3] == np.inf
    with pytest.raises(InputError, match="frequencies: 0.1, 1, …, expected 3 or more that fall"):
        measure_frequencies([0.1, 1, 10])


@pytest.mark.parametrize("base", [1e4, 5e5, 1e6])
@pytest.mark.parametrize("pairs", [32, 64])
def test_frequencies_that_float16_rounds_coarsely_are_geometric_still(base: float, pairs: int) -> None:
    found = measure_frequencies(torch.tensor(base ** -(np.arange(pairs) / pairs)).half())
    assert (found.geometric, found.slowed) == (pairs, 1) and found.base == pytest.approx(base, rel=0.01)

import math

import numpy as np
import pytest
from hosts import make_encoding, make_host, tables_of

WIDTH = 12


@pytest.mark.parametrize("n", [1, 16])
def test_fourier_features_are_waves_through_a_small_network(n: int) -> None:
    host = make_host(n)
    encoding = make_encoding("fourier_features", {"frequencies": 5, "hidden": 3}, host).double()
    p = {name: value.detach().numpy() for name, value in encoding.named_parameters()}
    side = round(n**0.5)
    places = np.indices((side, side), float).reshape(2, -1).T
    for replica, block in np.ndindex(2, 2):
        for token, x in enumerate(places):
            phases = [sum(x * p["frequencies"][replica, block, :, f]) for f in range(5)]
            waves = [math.cos(phase) / math.sqrt(5) for phase in phases]
            waves += [math.sin(phase) / math.sqrt(5) for phase in phases]
            row = np.zeros(WIDTH)
            for unit in range(3):
                value = sum(np.array([*waves, 1]) * p["widen"][replica, block, :, unit])
                row += value * (1 + math.erf(value / math.sqrt(2))) / 2 * p["narrow"][replica, block, unit]
            np.testing.assert_allclose(tables_of(encoding)[replica, block, token], row, atol=1e-12)

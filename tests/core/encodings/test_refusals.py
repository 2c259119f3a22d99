"""Positions and models that a scheme does not fit: refused with one line."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hosts import ALONE, Settings, inputs, make_encoding, make_host, output, randomise

from stages.core.encodings.interface import DoesNotFit, Host, PositionalEncoding
from stages.core.positions.positions import Positions
from stages.core.settings.errors import InputError

NEEDS = {
    "coordinates": "needs coordinates.* lattice networks, brain regions, the probe and the word",
    "adjacency": "needs the true graph.* the network, the recordings",
    "functional": "needs functional connectivity.* network .* recordings",
}
OF_COORDINATES = [
    *("rope_nd", "cpb", "fire", "rope_mixed", "liere", "fourier_features"),
    *("sinusoidal_nd", "coordinates", "peg"),
]
OF_GRAPHS = ["laplacian", "hop_bias", "rrwp_bias", "random_walk"]


@pytest.mark.parametrize(
    ("scheme", "need"),
    [
        *((scheme, "coordinates") for scheme in OF_COORDINATES),
        *((scheme, "adjacency") for scheme in OF_GRAPHS),
        ("connectivity_gradients", "functional"),
    ],
)
def test_positions_that_a_scheme_needs_are_named(scheme: str, need: str) -> None:
    with pytest.raises(DoesNotFit, match=f"^{scheme} {NEEDS[need]}"):
        make_encoding(scheme, host=replace(make_host(), positions=Positions(16)))


@pytest.mark.parametrize(
    ("scheme", "settings", "changes", "message"),
    [
        (
            "rope_nd",
            {},
            {"indices": range(-1, 16), "markers": (0,)},
            "1 marker token.* no true position; set markers to none",
        ),
        ("rope_nd", {}, {"head_width": 3}, "heads of 3 columns given, expected at least 4, two for each"),
        ("rope_mixed", {}, {"head_width": 1}, r"^rope_mixed: heads of 1 columns given, expected at least 2;"),
        ("liere", {}, {"head_width": 1}, r"^liere: heads of 1 columns given, expected at least 2; give the"),
        ("hop_bias", {}, {"indices": range(-1, 16), "markers": (0,)}, "1 marker token.* no true position"),
        ("rope", {"fraction": 0.3}, {}, r"^rope: fraction 0\.3 of heads of 6 columns given, expected two"),
    ],
)
def test_models_that_do_not_fit_are_named(
    scheme: str, settings: Settings, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        make_encoding(scheme, settings, replace(make_host(), **changes))


@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("heads", [1, 2])
@pytest.mark.parametrize("head_width", [1, 2, 3])
@pytest.mark.parametrize("scheme", ALONE)
def test_an_odd_size_is_refused_or_acted_on(scheme: str, head_width: int, heads: int, n: int) -> None:
    """Not passed over, as by a rotation of no pair of columns."""
    line = np.arange(float(n))[:, None]
    far = np.abs(line - line.T)
    positions = Positions(n, line, np.diag(np.ones(n - 1), 1), np.exp(-far), {"line": far})
    size = (positions, make_host().generators, 2, heads * head_width, heads, head_width, head_width)
    host = Host(*size, tuple(range(n)), n_tables=2)
    try:
        encoding = randomise(make_encoding(scheme, {}, host)).double()
    except InputError as error:
        assert re.search(r"expected (at least )?(2|two) ?", str(error)) and head_width * heads < 3
        return
    table, attended, x = encoding.table(0), output(encoding, inputs(host)), inputs(host)[-1]
    conditioned = encoding.condition(1, x)
    assert (
        attended.isfinite().all()
        and conditioned.isfinite().all()
        and (table is None or table.isfinite().all())
    )
    if n == 5 and scheme != "none":  # of two tokens some schemes see no difference
        assert (
            table is not None
            and table.any()
            or not conditioned.equal(x)
            or not attended.equal(output(PositionalEncoding(), inputs(host)))
        )

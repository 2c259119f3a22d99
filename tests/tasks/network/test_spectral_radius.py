"""Spectra in closed form, and self-connections beside them."""

import re

import numpy as np
import pytest

from stages.core.positions.positions import Matrix
from stages.tasks.network.graphs import modular, ring
from stages.tasks.network.scaling import scale_to, tell_self_connections

RING = ring(5)["adjacency"]


@pytest.mark.parametrize("radius", [0.0, 0.95, 3.0])
def test_scaled_graph_has_the_spectral_radius_asked_for(radius: float) -> None:
    directed = np.random.default_rng(0).standard_normal((8, 8))
    weak_cycle = np.array([[0.0, 1.0], [1e-4, 0.0]])  # of radius a hundredth of its largest weight
    for adjacency in (modular(15, 3, 0.3, 1.0, np.random.default_rng(0))["adjacency"], directed, weak_cycle):
        scaled = scale_to(adjacency, radius)
        assert max(abs(np.linalg.eigvals(scaled))) == pytest.approx(radius)
        np.testing.assert_allclose(scaled * adjacency.max(), adjacency * scaled.max(), atol=1e-12)


def test_a_graph_of_radius_zero_cannot_be_scaled() -> None:
    chain = np.eye(5, k=1)
    for adjacency in (np.zeros((3, 3)), chain, np.array([[1.0, 1.0], [-1.0, -1.0]])):
        with pytest.raises(ValueError, match="spectral_radius: 0.5 cannot be reached, the graph's own is 0"):
            scale_to(adjacency, 0.5)
        assert not scale_to(adjacency, 0.0).any()


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        (np.diag(np.ones(4), 1) + np.eye(5), "radius 1, edges between nodes alone make no cycle, .* halves"),
        (np.diag(np.ones(4), -1) + np.diag([0, 0, -3, 0, 0]), "radius 3, .* make no cycle"),
        (RING + np.diag([100, 0, 0, 0, 0]), "radius 100, .* alone have 2, .* lower"),
        (RING + np.eye(5), ""),
        (RING, ""),
        (np.array([[0.5, 2.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]]), ""),
    ],
)
def test_self_connections_that_set_the_scale_are_said(
    weights: Matrix, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    tell_self_connections(weights, 1.2)
    told = capsys.readouterr().out
    assert re.search(said, told) and bool(told) == bool(said)
    tell_self_connections(weights, 0.0)  # nothing acts then
    assert not capsys.readouterr().out

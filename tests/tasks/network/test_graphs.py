"""Graphs: counts, closed-form spectra, and what a file may hold."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from stages.core.positions.positions import Matrix
from stages.core.settings.errors import InputError
from stages.files.artifacts import Arrays
from stages.tasks.network import graphs


def drawn(nodes: int = 15, communities: int = 3, weight: float = 0.3, degree: float = 1.0) -> Arrays:
    return graphs.modular(nodes, communities, weight, degree, np.random.default_rng(0))


def test_modular_weights_are_one_within_and_counted_between() -> None:
    adjacency, communities = drawn(nodes=20, communities=4, weight=0.3, degree=1.5).values()
    same = communities[:, None] == communities
    np.testing.assert_array_equal(np.bincount(communities), [5, 5, 5, 5])
    np.testing.assert_array_equal(adjacency[same], (1 - np.eye(20))[same])
    between = adjacency[~same]
    assert set(between) == {0.0, 0.3}
    assert np.count_nonzero(between) / 20 == 1.5  # edges end twice: mean number per node
    np.testing.assert_array_equal(adjacency, adjacency.T)


@pytest.mark.parametrize(("nodes", "dimensions", "edges"), [(16, 2, 24), (27, 3, 54)])
def test_lattice_joins_sites_at_distance_one(nodes: int, dimensions: int, edges: int) -> None:
    adjacency, coordinates = graphs.lattice(nodes, dimensions).values()
    assert coordinates.shape == (nodes, dimensions)
    distance = np.abs(coordinates[:, None] - coordinates).sum(axis=-1)
    np.testing.assert_array_equal(adjacency, distance == 1)
    assert adjacency.sum() == 2 * edges


@pytest.mark.parametrize(
    ("draw", "message"),
    [
        (lambda: graphs.lattice(15, 2), "nodes: 15 .* take 9 or 16$"),
        (lambda: graphs.lattice(28, 3), "nodes: 28 .* take 27 or 64$"),
        (lambda: graphs.lattice(3, 2), "nodes: 3 .* take 4$"),
        (lambda: drawn(nodes=16), "nodes: 16 do not divide into 3 .* take 15 or 18$"),
        (lambda: drawn(nodes=2), "nodes: 2 do not divide into 3 .* take 3$"),
        (lambda: drawn(degree=11.0), "between_degree: 11 asks for 82 edges .* 75 .*; take at most 10$"),
    ],
)
def test_sizes_that_do_not_fit_name_what_would(draw: Callable[[], Arrays], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        draw()


@pytest.mark.parametrize("start", ["", "\ufeff"])  # as spreadsheets begin a file
def test_file_keeps_any_finite_weights(tmp_path: Path, start: str) -> None:
    weights = np.random.default_rng(0).standard_normal((4, 4))
    rows = [", ".join(map(repr, row)) for row in weights.tolist()]
    (tmp_path / "weights.csv").write_text(start + "\n\n".join(rows) + "\n", encoding="utf-8")
    np.testing.assert_array_equal(graphs.from_file(tmp_path / "weights.csv")["adjacency"], weights)


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n0,1\n2,3\n",
        ",a,b\nb,2,3\na,0,1\n",
        ",0,1\n0,0,1\n1,2,3\n",
        "node,1,2\n2,2,3\n1,0,1\n",
        "0,1,\n2,3,\n,,\n",
    ],
    ids=["named", "rows sorted otherwise", "by pandas", "numbered", "empty cells at the end"],
)
def test_names_above_and_beside_weights_are_matched(text: str, tmp_path: Path) -> None:
    (tmp_path / "weights.csv").write_text(text)
    assert graphs.from_file(tmp_path / "weights.csv")["adjacency"].tolist() == [[0, 1], [2, 3]]


FAULTS = {
    "1,2,0\n3,4,0\n": "2 rows and 3 columns, expected as many of both",
    "7,2\n3,4\n5,6\n": "3 rows and 2 columns, expected as many of both",
    "1\n": "has one row; give a CSV matrix of finite weights, 2 by 2",
    "1,nan\n3,4\n": "line 1, column 2: 'nan', expected a finite number",
    "1,2\n3,inf\n": "line 2, column 2: 'inf', expected a finite number",
    "1,2\n3,1_0\n": "line 2, column 2: '1_0', expected a finite number",
    "1,2\n,4\n": "line 2, column 1: '', expected a finite number",
    "left,right\n1,2\n": "has one row",
    ",a,b\na,1,2\nc,3,4\n": "'b' names a column and no row, expected both",
    "NA,1,2\n1,0,3\n2,3,0\n": "line 1, column 1: 'NA', expected a number in each cell",
    "1,2\n3,4,5\n": "line 2: 3 cells, expected 2 as in the first line",
    "": "not found or empty",
}


@pytest.mark.parametrize("content", FAULTS)
def test_anything_else_is_refused_in_one_line(tmp_path: Path, content: str) -> None:
    (tmp_path / "weights.csv").write_text(content)
    with pytest.raises(ValueError, match=rf"adjacency: .*{FAULTS[content]}[^\n]*$"):
        graphs.from_file(tmp_path / "weights.csv")
    with pytest.raises(ValueError, match=r"adjacency: .*other\.csv not found[^\n]*$"):
        graphs.from_file(tmp_path / "other.csv")


@pytest.mark.parametrize("radius", [0.0, 0.95, 3.0])
def test_scaled_graph_has_the_spectral_radius_asked_for(radius: float) -> None:
    directed = np.random.default_rng(0).standard_normal((8, 8))
    weak_cycle = np.array([[0.0, 1.0], [1e-4, 0.0]])  # of radius a hundredth of its largest weight
    for adjacency in (drawn()["adjacency"], directed, weak_cycle):
        scaled = graphs.scale_to(adjacency, radius)
        assert max(abs(np.linalg.eigvals(scaled))) == pytest.approx(radius)
        np.testing.assert_allclose(scaled * adjacency.max(), adjacency * scaled.max(), atol=1e-12)


def test_a_graph_of_radius_zero_cannot_be_scaled() -> None:
    chain = np.eye(5, k=1)
    for adjacency in (np.zeros((3, 3)), chain, np.array([[1.0, 1.0], [-1.0, -1.0]])):
        with pytest.raises(ValueError, match="spectral_radius: 0.5 cannot be reached, the graph's own is 0"):
            graphs.scale_to(adjacency, 0.5)
        assert not graphs.scale_to(adjacency, 0.0).any()


def test_weights_that_are_rounding_are_no_edges(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ring = graphs.ring(6)["adjacency"]
    for weights, found in (
        (ring + 1e-18 * np.eye(6, k=2), 4),
        (1e-20 * ring - 1e-36 * np.eye(6, k=3) + np.eye(6), 3),  # beside edges, not self-connections
        (ring + 1e-9 * np.eye(6, k=2), 0),
    ):
        np.savetxt(tmp_path / "weights.csv", weights, delimiter=",", fmt="%.17g")
        read = graphs.from_file(tmp_path / "weights.csv")["adjacency"]
        np.testing.assert_array_equal(read, np.where(graphs.find_rounding(weights), 0, weights))
        said = f"weights.csv: {found} weights are below 1e-12 of the largest one"
        assert np.count_nonzero(read) == np.count_nonzero(weights) - found
        assert (said in capsys.readouterr().out) == bool(found)


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        (np.diag(np.ones(4), 1) + np.eye(5), "radius 1, edges between nodes alone make no cycle, .* halves"),
        (np.diag(np.ones(4), -1) + np.diag([0, 0, -3, 0, 0]), "radius 3, .* make no cycle"),
        (graphs.ring(5)["adjacency"] + np.diag([100, 0, 0, 0, 0]), "radius 100, .* alone have 2, .* lower"),
        (graphs.ring(5)["adjacency"] + np.eye(5), ""),
        (graphs.ring(5)["adjacency"], ""),
        (np.array([[0.5, 2.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]]), ""),
    ],
)
def test_self_connections_that_set_the_scale_are_said(
    weights: Matrix, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    graphs.tell_self_connections(weights, 1.2)
    told = capsys.readouterr().out
    assert re.search(said, told) and bool(told) == bool(said)
    graphs.tell_self_connections(weights, 0.0)  # nothing acts then
    assert not capsys.readouterr().out


@pytest.mark.parametrize(
    ("code", "said"), [(-999.0, "far from all"), (-1.0, "alone below 0"), (1e9, "far from all")]
)
def test_codes_for_missing_weights_are_said(
    code: float, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    weights = np.random.default_rng(0).uniform(size=(8, 8)) - np.diag(np.full(8, 1.0))
    np.savetxt(tmp_path / "a.csv", weights + weights.T, delimiter=",")
    graphs.from_file(tmp_path / "a.csv")
    assert capsys.readouterr().out == ""
    np.savetxt(tmp_path / "a.csv", weights, delimiter=",")
    graphs.from_file(tmp_path / "a.csv")
    told = capsys.readouterr().out
    assert "row i is taken for those that act on node i" in told and told.count("\n") == 1
    weights[1, 2] = weights[4, 0] = code
    np.savetxt(tmp_path / "a.csv", weights, delimiter=",")
    graphs.from_file(tmp_path / "a.csv")
    assert f"a.csv: {code:.10g} stands in rows 1, 4, counted from 0, {said}" in capsys.readouterr().out


@pytest.mark.parametrize(
    "text",
    ["0,1,0.5\n1,2,0.3\n2,0,0.9\n", "from,to,weight\n1,2,0.5\n2,3,0.3\n3,1,0.9\n", "7,4,1\n4,9,1\n7,9,1\n"],
)
def test_three_edges_are_no_matrix(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(InputError, match="as a list of edges; give a CSV matrix"):
        graphs.from_file(tmp_path / "a.csv")


@pytest.mark.parametrize(
    "text",
    [
        "0,1,0\n1,0,2\n0,2,0\n",
        "0,2,1\n1,0,2\n2,1,0\n",
        "0,.37,.185\n.37,.74,.1\n.74,0,.3\n",
        "0,1,1\n1,0,1\n1,1,0\n",
    ],
)
def test_a_matrix_of_three_nodes_is_one(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.csv").write_text(text)
    weights = graphs.from_file(tmp_path / "a.csv")["adjacency"]
    assert weights.shape == (3, 3)
    assert ("differ by direction" in capsys.readouterr().out) == (weights != weights.T).any()


RING = graphs.ring(16)["adjacency"]
HALVES = np.kron(np.eye(2), np.ones((8, 8))) * np.random.default_rng(0).uniform(1, 2, (16, 16))


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        (RING, ""),
        (HALVES, "2 parts that no edge joins, the smallest of 8 nodes (the first is node 0, "),
        (np.triu(HALVES, 1), "2 parts that no edge joins, the smallest of 8 nodes (the first is node 0, "),
        (
            RING * (np.arange(16) != 3) * (np.arange(16) != 3)[:, None],
            "2 parts that no edge joins, the smallest of 1 nodes (the first is node 3, ",
        ),
    ],
)
def test_nodes_that_no_edge_joins_are_said(
    weights: Matrix, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    np.savetxt(tmp_path / "a.csv", weights, delimiter=",")
    graphs.from_file(tmp_path / "a.csv")
    assert said in (out := capsys.readouterr().out) and bool(out) == bool(said)


@pytest.mark.parametrize(
    "weights", [RING, np.random.default_rng(1).normal(size=(16, 16)), np.corrcoef(HALVES + RING)]
)
def test_a_doubled_node_is_said(weights: Matrix, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nodes = np.where(np.arange(16) == 4, 3, np.arange(16))
    for kept, told in ((np.arange(16), False), (nodes, True)):
        np.savetxt(tmp_path / "a.csv", weights[np.ix_(kept, kept)], delimiter=",")
        graphs.from_file(tmp_path / "a.csv")
        assert ("node 4 has the weights of node 3" in capsys.readouterr().out) == told


def test_distances_in_place_of_weights_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    far = np.abs(np.subtract.outer(np.arange(8.0), np.arange(8)))
    for numbers, said in ((10 * far, True), (np.sqrt(far), False), (1 / (1 + far) - np.eye(8), False)):
        np.savetxt(tmp_path / "a.csv", numbers, delimiter=",")
        graphs.from_file(tmp_path / "a.csv")
        assert ("as distances are" in capsys.readouterr().out) == said


SIMILAR = np.corrcoef(np.random.default_rng(2).normal(size=(16, 40)))
LAPLACIAN = np.diag(HALVES.sum(axis=1)) - HALVES


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        (LAPLACIAN, "nowhere above 0 between two nodes, as in a graph Laplacian; .* change the sign"),
        (np.eye(16) - RING / 2, "nowhere above 0 between two nodes"),
        (-np.abs(np.subtract.outer(np.arange(16), np.arange(16))), "nowhere above 0 between two nodes"),
        (SIMILAR, "are 1 on the diagonal and nowhere above, as correlations are; .* diagonal to 0"),
        (100 * np.abs(SIMILAR), "are 100 on the diagonal and nowhere above"),
        (SIMILAR - np.eye(16), ""),
        (-LAPLACIAN, ""),
        (SIMILAR + np.diag(np.arange(16)), ""),
    ],
)
def test_what_may_be_no_weights_is_said(
    numbers: Matrix, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert [*map(bool, graphs.find_other_kind(numbers))] == [True] * bool(said)
    np.savetxt(tmp_path / "a.csv", numbers, delimiter=",")
    graphs.from_file(tmp_path / "a.csv")
    assert re.search(said, capsys.readouterr().out)

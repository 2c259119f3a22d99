"""Read a researcher's file of weights, and say what in it may be no weights."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from stages.core.positions.positions import Matrix
from stages.core.settings.errors import InputError
from stages.tasks.network.graph_files import find_other_kind, find_rounding, from_file
from stages.tasks.network.graphs import ring

RING = ring(16)["adjacency"]
HALVES = np.kron(np.eye(2), np.ones((8, 8))) * np.random.default_rng(0).uniform(1, 2, (16, 16))
FAR = np.abs(np.subtract.outer(np.arange(16.0), np.arange(16)))
NEAR = FAR[:8, :8]


@pytest.fixture
def read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Return what reads a file of that text or those weights: the weights, and what is said."""

    def read_file(content: str | Matrix) -> tuple[Matrix, str]:
        path = tmp_path / "a.csv"
        if isinstance(content, str):
            path.write_text(content, encoding="utf-8")
        else:
            np.savetxt(path, content, delimiter=",", fmt="%.18g")
        return from_file(path)["adjacency"], capsys.readouterr().out

    return read_file


@pytest.mark.parametrize("start", ["", "\ufeff"])  # as spreadsheets begin a file
def test_any_finite_weights_are_kept(read: Any, start: str) -> None:
    weights = np.random.default_rng(0).standard_normal((4, 4))
    rows = [", ".join(map(repr, row)) for row in weights.tolist()]
    np.testing.assert_array_equal(read(start + "\n\n".join(rows) + "\n")[0], weights)


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
def test_names_above_and_beside_weights_are_matched(text: str, read: Any) -> None:
    assert read(text)[0].tolist() == [[0, 1], [2, 3]]


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
    "0,1,0.5\n1,2,0.3\n2,0,0.9\n": "as a list of edges; give a CSV matrix",
    "from,to,weight\n1,2,0.5\n2,3,0.3\n3,1,0.9\n": "as a list of edges; give a CSV matrix",
    "7,4,1\n4,9,1\n7,9,1\n": "as a list of edges; give a CSV matrix",
}


@pytest.mark.parametrize("content", FAULTS)
def test_anything_else_is_refused_in_one_line(read: Any, content: str) -> None:
    with pytest.raises(InputError, match=rf"adjacency: .*{FAULTS[content]}[^\n]*$"):
        read(content)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"adjacency: .*other\.csv not found[^\n]*$"):
        from_file(tmp_path / "other.csv")


@pytest.mark.parametrize(
    "text",
    [
        "0,1,0\n1,0,2\n0,2,0\n",
        "0,2,1\n1,0,2\n2,1,0\n",
        "0,.37,.185\n.37,.74,.1\n.74,0,.3\n",
        "0,1,1\n1,0,1\n1,1,0\n",
    ],
)
def test_a_matrix_of_three_nodes_is_one(text: str, read: Any) -> None:
    weights, said = read(text)
    assert weights.shape == (3, 3)
    assert ("differ by direction" in said) == (weights != weights.T).any()


def test_weights_that_are_rounding_are_no_edges(read: Any) -> None:
    six = ring(6)["adjacency"]
    for weights, found in (
        (six + 1e-18 * np.eye(6, k=2), 4),
        (1e-20 * six - 1e-36 * np.eye(6, k=3) + np.eye(6), 3),  # beside edges, not self-connections
        (six + 1e-9 * np.eye(6, k=2), 0),
    ):
        kept, said = read(weights)
        np.testing.assert_array_equal(kept, np.where(find_rounding(weights), 0, weights))
        assert np.count_nonzero(kept) == np.count_nonzero(weights) - found
        assert (f"a.csv: {found} weights are below 1e-12 of the largest one" in said) == bool(found)


@pytest.mark.parametrize(
    ("code", "said"), [(-999.0, "far from all"), (-1.0, "alone below 0"), (1e9, "far from all")]
)
def test_codes_for_missing_weights_are_said(code: float, said: str, read: Any) -> None:
    weights = np.random.default_rng(0).uniform(size=(8, 8)) - np.diag(np.full(8, 1.0))
    assert read(weights + weights.T)[1] == ""
    told = read(weights)[1]
    assert "row i is taken for those that act on node i" in told and told.count("\n") == 1
    weights[1, 2] = weights[4, 0] = code
    assert f"a.csv: {code:.10g} stands in rows 1, 4, counted from 0, {said}" in read(weights)[1]


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        (RING, ""),
        (HALVES, "the smallest of 8 nodes (the first is node 0, "),
        (np.triu(HALVES, 1), "the smallest of 8 nodes (the first is node 0, "),
        (RING * np.outer(np.arange(16) != 3, np.arange(16) != 3), "of 1 nodes (the first is node 3, "),
    ],
)
def test_nodes_that_no_edge_joins_are_said(weights: Matrix, said: str, read: Any) -> None:
    told = read(weights)[1]
    assert said in told and ("2 parts that no edge joins" in told) == bool(told) == bool(said)


@pytest.mark.parametrize(
    "weights", [RING, np.random.default_rng(1).normal(size=(16, 16)), np.corrcoef(HALVES + RING)]
)
def test_a_doubled_node_is_said(weights: Matrix, read: Any) -> None:
    nodes = np.where(np.arange(16) == 4, 3, np.arange(16))
    for kept, told in ((np.arange(16), False), (nodes, True)):
        assert ("node 4 has the weights of node 3" in read(weights[np.ix_(kept, kept)])[1]) == told


SIMILAR = np.corrcoef(np.random.default_rng(2).normal(size=(16, 40)))
LAPLACIAN = np.diag(HALVES.sum(axis=1)) - HALVES


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        (LAPLACIAN, "nowhere above 0 between two nodes, as in a graph Laplacian; .* change the sign"),
        (np.eye(16) - RING / 2, "nowhere above 0 between two nodes"),
        (-FAR, "nowhere above 0 between two nodes"),
        (SIMILAR, "are 1 on the diagonal and nowhere above, as correlations are; .* diagonal to 0"),
        (100 * np.abs(SIMILAR), "are 100 on the diagonal and nowhere above"),
        (10 * NEAR, "as distances are"),
        (np.sqrt(NEAR), ""),
        (1 / (1 + NEAR) - np.eye(8), ""),
        (SIMILAR - np.eye(16), ""),
        (-LAPLACIAN, ""),
        (SIMILAR + np.diag(np.arange(16)), ""),
    ],
)
def test_what_may_be_no_weights_is_said(numbers: Matrix, said: str, read: Any) -> None:
    assert [*map(bool, find_other_kind(numbers))] == [True] * bool(said)
    told = read(numbers)[1]
    assert re.search(said, told) and ("expected weights, larger" in told) == bool(said)

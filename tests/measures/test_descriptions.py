import numpy as np
import pytest
from stages.positions.true_positions import different

from stages.measures import descriptions
from stages.measures.alignment import permutations

GROUPS = np.repeat([0, 1, 2], 4)
SHUFFLES = permutations(12, 99, np.random.default_rng(0))


def stored() -> dict[str, np.ndarray]:
    """Tables [3, 2, 12, 8] by configuration: of communities and of noise; one replica of these diverged."""
    rng = np.random.default_rng(1)
    near = np.eye(3, 8)[GROUPS] + 0.1 * rng.normal(size=(3, 2, 12, 8))
    noise = rng.normal(size=(3, 2, 12, 8))
    noise[1, 0, 5, 5] = np.inf
    return {"near": near, "noise": noise}


def test_travel_pairs_each_table_with_its_own_start() -> None:
    final = stored()
    scale = 2.0 + np.arange(6).reshape(3, 2, 1, 1)
    initial = {name: np.where(np.isfinite(tables), tables, 1.0) / scale for name, tables in final.items()}
    found = descriptions.of_geometry(initial, final)
    assert list(found.columns) == descriptions.GEOMETRY
    change = found[found.measure == "relative_change"].set_index(["encoding", "seed", "block"]).value
    assert change["near", 2, "1"] == pytest.approx(7 - 1)
    assert change["noise", 2, "0"] == pytest.approx(6 - 1)
    assert ("noise", 1, "0") not in change.index
    # three seeds, and two that did not diverge, of two blocks and `all`
    assert len(change) == (3 + 2) * 3


def test_communities_are_found_again() -> None:
    found = descriptions.of_communities(stored(), {"communities": GROUPS}, SHUFFLES, seed=0)
    assert list(found.columns) == descriptions.COMMUNITIES
    agreed = found[(found.measure == "ami") & (found.block == "all")].groupby("encoding").value.mean()
    assert agreed["near"] == pytest.approx(1) and agreed["noise"] < 0.5
    shared = descriptions.shared_communities(stored(), seed=0)
    np.testing.assert_array_equal(different(shared["near"]), different(GROUPS))


def test_pairs_of_references_are_of_block_all() -> None:
    far = np.abs(np.subtract.outer(np.arange(12.0), np.arange(12.0)))
    found = descriptions.of_pairs(stored(), {"communities": different(GROUPS), "far": far}, SHUFFLES)
    assert list(found.columns) == descriptions.PARTIAL
    assert set(found.block) == {"all"} and len(found) == (3 + 2) * 2
    mean = found.groupby(["encoding", "reference"]).value.mean()
    assert mean["near", "communities"] > 0.5 > abs(mean["near", "far"])


def test_no_tables_have_no_rows() -> None:
    assert descriptions.of_geometry({}, {}).empty
    assert descriptions.of_communities({}, {}, SHUFFLES, seed=0).empty
    assert descriptions.of_pairs({}, {}, SHUFFLES).empty

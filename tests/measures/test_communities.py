import networkx as nx
import numpy as np
import pytest
from nulls import check_null, shuffles
from sklearn.metrics import adjusted_mutual_info_score

from stages.measures import communities

N = 15
GROUPS = np.repeat(["x", "y", "z"], 5)


def noise(count: int) -> list[np.ndarray]:
    rng = np.random.default_rng(2)
    return [communities.similarity_of_table(rng.normal(size=(N, 6))) for _ in range(count)]


def planted() -> np.ndarray:
    """Rows near one of three directions."""
    rng = np.random.default_rng(3)
    return communities.similarity_of_table(
        3 * np.repeat(np.eye(3, 8), 5, axis=0) + 0.2 * rng.normal(size=(N, 8))
    )


def test_planted_communities_are_found_and_unrelated_ones_are_not() -> None:
    compared = communities.compare([planted(), *noise(1)], {"groups": GROUPS}, shuffles(N), seed=0)
    values = compared.pivot(index="table", columns="measure", values="value")
    assert values.communities[0] == 3 and values.ami[0] == pytest.approx(1)
    assert values.modularity[0] > 0.5
    assert values.segregation[0] > 0.8
    assert abs(values.ami[1]) < 0.3 and values.modularity[1] < 0.4
    p_value = compared.pivot(index="table", columns="measure", values="p_value")
    np.testing.assert_allclose(p_value.loc[0, ["ami", "segregation"]].astype(float), 1 / 200)
    assert p_value[["communities", "modularity"]].isna().all(axis=None)


def test_modularity_is_networkxs() -> None:
    for similarity in noise(3):
        labels = communities.louvain(similarity, seed=4)
        parts = [set(np.flatnonzero(labels == label).tolist()) for label in np.unique(labels)]
        expected = nx.community.modularity(nx.from_numpy_array(similarity), parts)
        assert communities.modularity(similarity, labels) == pytest.approx(expected)


def test_segregation_by_hand() -> None:
    # pairs within: 01 and 23, mean 0.8; between: the other four, mean 0.2
    similarity = np.array([[0, 1, 0.4, 0], [1, 0, 0, 0.4], [0.4, 0, 0, 0.6], [0, 0.4, 0.6, 0]])
    orders = np.array([[0, 2, 1, 3]])  # within: 02 and 13, mean 0.4; between 1.6 / 4
    segregated = communities.segregation([similarity], np.array([7, 7, 9, 9]), orders)
    assert segregated.value[0] == pytest.approx(0.75)
    assert segregated.null_mean[0] == pytest.approx(0)


def test_agreement_is_scikit_learns_also_under_the_null() -> None:
    random = np.random.default_rng(6).integers(0, 4, N)
    partitions = [random, np.arange(N), np.zeros(N, np.int64), np.arange(N) // 5]
    rows = communities.agreement(partitions, GROUPS, shuffles(N, 20))
    check_null(
        rows, shuffles(N, 20), lambda order, x: adjusted_mutual_info_score(GROUPS[order], x), partitions
    )


def test_labels_without_groups_say_nothing() -> None:
    references = {"one": np.zeros(N), "own": np.arange(N)}
    compared = communities.compare(noise(1), references, shuffles(N), seed=0)
    assert set(compared.measure) == {"modularity", "communities"}


def test_no_similarity_no_modularity() -> None:
    nothing = np.zeros((N, N))
    with np.errstate(all="raise"):
        compared = communities.compare([nothing], {"groups": GROUPS}, shuffles(N), seed=0)
    values = compared.set_index("measure").value
    assert np.isnan(values.modularity) and np.isnan(values.segregation)
    assert values.ami == pytest.approx(0, abs=1e-12)


def test_attention_is_symmetrised_without_its_diagonal() -> None:
    weights = np.array([[0.5, 0.5], [0.1, 0.9]], np.float32)
    np.testing.assert_allclose(communities.similarity_of_attention(weights), [[0, 0.3], [0.3, 0]], rtol=1e-6)

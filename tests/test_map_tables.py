import shutil
from pathlib import Path

import numpy as np
import pytest
from commands import ROOT

from stages import map_tables
from stages.core.measures.alignment import cosine_similarity
from stages.core.positions.positions import Positions
from stages.files import artifacts
from stages.parameters import params
from stages.tasks.facts import find_facts


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Make a project with puzzles and two cells of two seeds, the second of which has diverged."""
    shutil.copy(ROOT / params.FILE, tmp_path)
    (tmp_path / "studies").mkdir()
    shutil.copy(ROOT / "studies/sigma.yaml", tmp_path / "studies")
    puzzles = {"validation_puzzles": np.zeros((1, 16), np.int64)}
    artifacts.write_arrays(tmp_path / "data/tasks/grid/puzzles.npz", puzzles)
    random = np.random.default_rng(0)
    for at in ("0_02", "2"):
        initial, final = random.normal(size=(2, 2, 3, 16, 4)).astype(np.float32)
        final[1, 0, 0, 0] = np.nan
        folder = tmp_path / f"data/studies/sigma/cells/grid-learned-{at}"
        artifacts.write_arrays(folder / "tables.npz", {"initial": initial, "final": final})
    return tmp_path


def test_similarities_of_finite_seeds_with_blocks_side_by_side_stand_beside_tokens_and_truth(
    root: Path,
) -> None:
    map_tables.map_tables(root)
    maps = artifacts.read_arrays(root / map_tables.MAPS)
    stored = artifacts.read_arrays(root / "data/studies/sigma/cells/grid-learned-2/tables.npz")
    for name, table in (("final", stored["final"]), ("added", stored["final"] - stored["initial"])):
        expected = cosine_similarity(np.concatenate(list(table[0]), axis=-1))
        np.testing.assert_allclose(maps[f"grid__2__{name}"], expected)
    assert maps["grid__sigmas"].tolist() == ["0.02", "2"]
    assert not any(key.startswith(("network", "recordings", "grid__0_2")) for key in maps)
    assert {array.dtype for array in maps.values() if array.dtype.kind == "f"} == {np.dtype(np.float32)}
    assert str(maps["grid__reference"]) == "same_line"
    assert maps["grid__true"][0].reshape(4, 4).tolist() == [[1, 1, 1, 1], *[[1, 0, 0, 0]] * 3]
    assert maps["grid__order"].tolist() == list(range(16)) and maps["grid__labels"][6] == "row 1, column 2"
    assert maps["grid__groups"].tolist() == [f"row {row}" for row in range(4) for _ in range(4)]
    np.testing.assert_allclose(maps["grid__plane"][[0, 3]], np.array([[-1, 1], [1, 1]]) / 2**0.5)


def test_a_brain_is_seen_from_above_and_a_graph_by_its_distances() -> None:
    places = np.array([[0.0, 10, 5], [0, -10, 5], [20, 0, 5]])
    seen = map_tables.lay_out(find_facts("recordings"), Positions(3, places))
    assert np.linalg.norm(seen, axis=1).max() == pytest.approx(1)
    assert seen[0, 1] > 0 > seen[1, 1] and seen[2, 0] > 0
    line = np.abs(np.subtract.outer(np.arange(3.0), np.arange(3.0)))
    layout = map_tables.lay_out(find_facts("network"), Positions(3, distances={"graph_distance": line}))
    np.testing.assert_allclose(np.abs(layout), [[1, 0], [0, 0], [1, 0]], atol=1e-6)


def test_without_trained_cells_there_are_no_maps(root: Path) -> None:
    shutil.rmtree(root / "data/studies")
    map_tables.map_tables(root)
    assert artifacts.read_arrays(root / map_tables.MAPS) == {}

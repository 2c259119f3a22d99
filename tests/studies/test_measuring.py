from pathlib import Path

import numpy as np

from stages.files.artifacts import write_arrays
from stages.measures.locality import cosine_by_steps
from stages.studies.measuring import measure_locality


def test_locality_is_that_of_blocks_side_by_side_and_none_where_a_seed_diverged(tmp_path: Path) -> None:
    final = np.random.default_rng(0).normal(size=(3, 2, 6, 4))
    final[1] = np.nan
    write_arrays(tmp_path / "tables.npz", {"initial": final, "final": final})
    found = {metric: values for _, metric, values in measure_locality(tmp_path)}
    assert list(found) == ["cosine_1", "cosine_2", "cosine_4", "steps_to_half"]
    assert all(np.isnan(values[1]) for values in found.values())
    expected = cosine_by_steps(np.hstack([final[2, 0], final[2, 1]]))
    np.testing.assert_allclose([found[f"cosine_{steps}"][2] for steps in expected], [*expected.values()])

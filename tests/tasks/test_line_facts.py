import numpy as np

from stages.tasks.bases.line_facts import line_positions


def test_tokens_in_a_row_are_as_far_apart_as_their_indices() -> None:
    positions = line_positions(4)
    assert positions.coordinates is not None and positions.coordinates.tolist() == [[0], [1], [2], [3]]
    np.testing.assert_array_equal(positions.distances["index_distance"][1], [1, 0, 1, 2])

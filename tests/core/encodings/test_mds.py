from dataclasses import replace

import numpy as np
import pytest
from hosts import make_encoding, make_host, tables_of
from scipy.spatial.distance import pdist, squareform

from stages.core.encodings.interface import DoesNotFit
from stages.core.positions.positions import Positions


def test_mds_tables_are_as_far_apart_as_the_true_positions_and_of_the_stated_size() -> None:
    host = make_host()
    for name in ("lattice", "index"):
        found = tables_of(make_encoding("mds", {"init_std": 0.5, "distances": name}, host))
        for table in found.reshape(-1, *found.shape[2:]):
            ratio = pdist(table) / squareform(host.positions.distances[name])
            np.testing.assert_allclose(ratio, ratio[0], rtol=1e-5)
            assert table.std() == pytest.approx(0.5) and np.allclose(table.mean(axis=0), 0, atol=1e-6)
        assert not np.allclose(found[0, 0], found[0, 1]) and not np.allclose(found[0, 0], found[1, 0])


def test_narrow_mds_tables_keep_what_varies_most() -> None:
    host = replace(make_host(), width=1)
    (table,) = tables_of(make_encoding("mds", {"distances": "index"}, host))[0, :1]
    line = np.arange(16) - 7.5
    np.testing.assert_allclose(np.abs(table[:, 0]), 0.1 * np.abs(line) / line.std(), rtol=1e-5)


def test_exchanged_mds_rows_are_the_same_in_another_order_in_every_block() -> None:
    true, exchanged = (tables_of(make_encoding("mds", {"exchanged": value})) for value in (False, True))
    for replica in range(2):
        order = [int(np.abs(true[replica, 0] - row).sum(axis=1).argmin()) for row in exchanged[replica, 0]]
        assert sorted(order) == list(range(16)) and order != sorted(order)
        np.testing.assert_array_equal(exchanged[replica], true[replica][:, order])


def test_mds_names_the_distances_that_there_are() -> None:
    with pytest.raises(ValueError, match="mds: distances 'mm' given, expected one of lattice, index"):
        make_encoding("mds", {"distances": "mm"})
    with pytest.raises(DoesNotFit, match="mds needs true distances"):
        make_encoding("mds", host=replace(make_host(), positions=Positions(16)))

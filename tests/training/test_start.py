import numpy as np
import pytest
from random_tasks import masked
from small_models import SIZES, build

from stages.core.randomness.streams import Replicates
from stages.core.settings.configuration import Configuration
from stages.training.assemble import assemble
from stages.training.start import Given, exchange_rows, give_tables, scale_to

TABLES = np.random.default_rng(0).normal(size=(2, 2, 6, 16)).astype(np.float32)


def test_exchanged_rows_are_a_permutation_of_its_own_for_every_seed() -> None:
    exchanged = exchange_rows(TABLES, Replicates(0, "test", range(2)))
    orders = []
    for seed in range(2):
        same = (exchanged[seed][:, :, None] == TABLES[seed][:, None]).all(-1)  # [tables, n, n]
        np.testing.assert_array_equal(same[0], same[1])  # the same tokens in every block
        orders.append(same[0].argmax(1).tolist())
        assert sorted(orders[-1]) == list(range(6)) != orders[-1]
    assert orders[0] != orders[1]
    np.testing.assert_array_equal(exchange_rows(TABLES[1:], Replicates(0, "test", [1]))[0], exchanged[1])


def test_scaled_tables_have_the_rms_of_others_by_seed_and_block() -> None:
    like = 3 * TABLES[::-1]
    scaled = scale_to(TABLES, like)
    np.testing.assert_allclose((scaled**2).mean((2, 3)), (like**2).mean((2, 3)), rtol=1e-5)
    ratio = scaled / TABLES
    np.testing.assert_allclose(ratio, ratio[:, :, :1, :1] * np.ones_like(ratio), rtol=1e-5)


@pytest.mark.parametrize("frozen", [True, False])
def test_given_tables_are_the_model_s_and_stay_if_frozen(frozen: bool) -> None:
    model, _ = build(masked(), range(2))
    give_tables(model, Given(TABLES, frozen), "donor")
    tables = dict(model.named_parameters())["encoding.tables"]
    np.testing.assert_array_equal(tables.detach().numpy(), TABLES)
    assert tables.requires_grad != frozen


def test_tables_that_do_not_fit_are_refused() -> None:
    model, _ = build(masked(), range(3))
    with pytest.raises(ValueError, match=r"tables \(2, 2, 6, 16\) of donor .* \(3, 2, 6, 16\); expected"):
        give_tables(model, Given(TABLES, True), "donor")
    without = assemble(masked(), Configuration("pe", "none", {}), SIZES, Replicates(0, "test", range(2)))
    with pytest.raises(ValueError, match="with no learned tables"):
        give_tables(without, Given(TABLES, True), "donor")

"""Draw parameters before training as settings say."""

import pytest
from hosts import Settings, make_encoding, tables_of


@pytest.mark.parametrize(
    ("scheme", "settings", "parameter", "std"),
    [
        ("shaw", {"init_std": 0.5}, "keys", 0.5),
        ("urpe", {"init_std": 0.5}, "bias", 0.5),
        ("t5_bias", {"init_std": 0.5}, "bias", 0.5),
        ("fourier_features", {"gamma": 4.0}, "frequencies", 0.25),
        ("learned", {"init_std": 0.0}, "tables", 0.0),
        ("learned", {"init_std": 0.02}, "tables", 0.02),
        ("learned", {"init_std": 2.0}, "tables", 2.0),
    ],
)
def test_draws_have_the_stated_standard_deviation(
    scheme: str, settings: Settings, parameter: str, std: float
) -> None:
    values = make_encoding(scheme, settings, numbers=range(40)).get_parameter(parameter)
    assert values.std().item() == pytest.approx(std, rel=0.05)
    assert abs(values.mean().item()) <= 0.05 * std


@pytest.mark.parametrize("init_std", [0.0, 0.02, 2.0])
def test_learned_tables_of_any_size_are_scaled_from_the_same_draws(init_std: float) -> None:
    usual, scaled = (tables_of(make_encoding("learned", {"init_std": std})) for std in (0.1, init_std))
    assert scaled == pytest.approx(init_std / 0.1 * usual, rel=1e-6)


@pytest.mark.parametrize("scheme", ["coordinates", "laplacian", "random_walk", "connectivity_gradients"])
def test_weights_of_features_start_as_in_a_linear_layer(scheme: str) -> None:
    weight = make_encoding(scheme, numbers=range(200)).get_parameter("weight").detach()
    k = weight.shape[2]
    assert weight.abs().max() == pytest.approx(k**-0.5, rel=1e-2)
    assert weight.var() == pytest.approx(1 / (3 * k), rel=0.1)

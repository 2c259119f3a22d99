from typing import Any

import numpy as np
import pytest
import torch

from stages.encodings.interface import Host
from stages.interventions.longer import lend_weights
from stages.model.transformer import Transformer
from stages.parameters.params import Architecture, Configuration
from stages.parameters.scales import Model
from stages.randomness.streams import Replicates
from stages.tasks.bases.labels import RandomWords, places
from stages.tasks.bases.shared_facts import WordData
from stages.training.assemble import assemble, host_for

SIZES, TWO = Model(16, 2, 2, 2), Replicates(0, "identification", range(2))


def words(n: int) -> RandomWords:
    sizes = WordData(tokens=n, vocabulary=5, train_sequences=8, test_sequences=8)
    return RandomWords(sizes, 6, places, np.random.default_rng(0), torch.device("cpu"))


def both(
    scheme: str, mask: Any = "none", markers: Any = "none", **settings: Any
) -> tuple[Transformer, Transformer, Host]:
    configuration = Configuration("pe", scheme, settings, Architecture(mask=mask, markers=markers))
    short, long = (assemble(words(n), configuration, SIZES, TWO) for n in (6, 12))
    torch.manual_seed(0)
    for parameter in short.parameters():
        torch.nn.init.normal_(parameter, std=0.3)
    return short, long, host_for(words(12), configuration, SIZES, TWO)


@torch.no_grad()
@pytest.mark.parametrize(
    ("scheme", "settings"),
    [("sinusoidal_1d", {}), ("sinusoidal_nd", {}), ("fourier_features", {}), ("rope", {}), ("rope_mixed", {})]
    + [("t5_bias", {}), ("alibi", {}), ("liere", {}), ("pope", {}), ("shaw", {"max_distance": 3})]
    + [("transformer_xl", {}), ("hop_bias", {})],
)
def test_first_tokens_that_do_not_see_the_others_come_out_as_before(scheme: str, settings: Any) -> None:
    short, long, host = both(scheme, "causal", **settings)
    codes = torch.randint(1, 6, (2, 4, 12))
    assert not torch.allclose(long(codes)[:, :, :6], short(codes[..., :6]), atol=1e-3)
    lend_weights(short, long, 6, host)
    torch.testing.assert_close(long(codes)[:, :, :6], short(codes[..., :6]), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("scheme", ["learned", "toeplitz_bias", "urpe", "music_transformer", "cope"])
def test_parameters_of_as_many_tokens_are_refused(scheme: str) -> None:
    short, long, host = both(scheme)
    with pytest.raises(ValueError, match="^its (tables|bias|keys|vectors) are those of 6 tokens; train"):
        lend_weights(short, long, 6, host)


@pytest.mark.parametrize("scheme", ["random_fixed", "mds", "coordinates", "cpb", "fire", "random_walk"])
def test_tokens_that_would_be_placed_elsewhere_are_refused(scheme: str) -> None:
    short, long, host = both(scheme)
    with pytest.raises(ValueError, match="^it places the first 6 tokens elsewhere when others follow$"):
        lend_weights(short, long, 6, host)


def test_markers_are_tokens_too() -> None:
    short, long, host = both("rope", markers="cls_sep")
    lend_weights(short, long, 8, host)

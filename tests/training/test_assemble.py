"""Models of every kind of configuration: the same weights around every encoding, which is tried out."""

import re
from dataclasses import replace

import pytest
import torch
from changed_params import change_settings
from small_models import SIZES

from stages.core.randomness.initial import normal, uniform
from stages.core.randomness.streams import Replicates
from stages.core.settings.configuration import Architecture, Configuration
from stages.core.settings.errors import InputError
from stages.core.settings.sizes import Model
from stages.tasks.facts import find_facts
from stages.tasks.probe.task import Probe
from stages.training.assemble import assemble, check_mask
from stages.training.host import host_for

PROBE = Probe(5, torch.device("cpu"))
KINDS = [
    Architecture(),
    Architecture(normaliser="l2"),
    Architecture(block="gau"),
    Architecture(markers="cls", extra_hidden=3),
    Architecture(block="gau", normaliser="exp_mean", markers="cls_sep"),
]


def configure(kind: Architecture, scheme: str = "toeplitz_bias") -> Configuration:
    return Configuration("cells.name", scheme, {}, kind)


@pytest.mark.parametrize("scheme", ["learned", "rope", "alibi"])
def test_no_token_sees_what_it_is_asked_for(scheme: str) -> None:
    verses, asked = find_facts("language"), change_settings({"language.objective": "left_to_right"})
    with pytest.raises(InputError, match=r"^cells.name.mask: none given with language.objective: left_to_"):
        check_mask(verses, asked, configure(Architecture(), scheme))
    check_mask(verses, asked, configure(Architecture(mask="causal"), scheme))
    check_mask(verses, asked, configure(Architecture(), "causal_none"))  # the scheme itself is
    check_mask(verses, change_settings({}), configure(Architecture(), scheme))
    check_mask(find_facts("grid"), asked, configure(Architecture(), scheme))


@pytest.mark.parametrize("kind", KINDS)
def test_weights_outside_the_encoding_are_each_seed_s_own_and_those_of_every_encoding(
    kind: Architecture,
) -> None:
    replicates = Replicates(0, "test", range(2))
    biased, tabled = (
        assemble(PROBE, configure(kind, name), SIZES, replicates) for name in ("toeplitz_bias", "learned")
    )
    others = tabled.state_dict()
    outside = {name: weights for name, weights in biased.state_dict().items() if "encoding" not in name}
    assert len(outside) > 10
    assert all(torch.equal(weights, others[name]) for name, weights in outside.items())
    drawn = {name: weights for name, weights in others.items() if weights.min() < weights.max()}
    assert "encoding.tables" in drawn and len(drawn) > 8
    assert not [name for name, (first, second) in drawn.items() if first.equal(second)]


def test_table_weights_and_markers_are_drawn_from_streams_of_their_own() -> None:
    seeds = Replicates(0, "test", range(2))
    values = assemble(PROBE, configure(Architecture(markers="cls"), "learned"), SIZES, seeds).state_dict()
    expected = {
        "encoding.tables": normal(0.1, (2, 5, 16), seeds.generators("encoding")),
        "embedding.linear.weight": uniform(1, (1, 16), seeds.generators("weights")),
        "markers.vectors": normal(1, (1, 16), seeds.generators("markers")),
    }
    assert all(values[name].equal(drawn) for name, drawn in expected.items())


def test_gains_multiply_the_initial_weights_of_embedding_and_readout_alone() -> None:
    one = Replicates(0, "test", [0])
    usual = assemble(PROBE, configure(Architecture()), SIZES, one).state_dict()
    gained = assemble(PROBE, configure(Architecture(embedding_gain=10, readout_gain=0.1)), SIZES, one)
    for name, weights in gained.state_dict().items():
        gain = {"embedding": 10, "readout": 0.1}.get(name.partition(".")[0], 1)
        torch.testing.assert_close(weights, gain * usual[name])


@pytest.mark.parametrize("kind", KINDS)
def test_a_gain_of_queries_and_keys_leaves_all_other_weights(kind: Architecture) -> None:
    one = Replicates(0, "test", [0])
    usual, gained = (
        assemble(PROBE, configure(replace(kind, qk_gain=gain)), SIZES, one).state_dict()
        for gain in (1.0, 0.1)
    )
    for name, weights in usual.items():
        if re.fullmatch(r"blocks\.\d\.(scale|attention\.query\.weight)", name):
            weights *= 0.1
        if name.endswith("key_value"):  # values stand behind the keys
            weights[..., : SIZES.width] *= 0.1
        torch.testing.assert_close(gained[name], weights)


def test_an_encoding_is_told_of_markers_and_of_a_gated_unit_s_one_head() -> None:
    one = Replicates(0, "test", [0])
    host = host_for(PROBE.positions, configure(Architecture(block="gau", markers="cls_sep")), SIZES, one)
    assert host.indices == (-1, 0, 1, 2, 3, 4, 5) and host.positions.n_tokens == 5
    assert (host.heads, host.head_width, host.value_width, host.n_tables) == (1, 128, 32, 0)
    host = host_for(PROBE.positions, configure(Architecture(where="input"), "learned"), SIZES, one)
    assert (host.heads, host.head_width, host.value_width, host.n_tables) == (2, 8, 8, 1)


def test_extra_hidden_units_make_up_for_a_learned_table() -> None:
    def count(configuration: Configuration) -> int:
        model = assemble(Probe(16, torch.device("cpu")), configuration, sizes, Replicates(0, "test", [0]))
        return sum(weights.numel() for weights in model.parameters())

    sizes = Model(width=SIZES.width, blocks=3, heads=2, expansion=2)
    widened = configure(Architecture(extra_hidden=8), "sinusoidal_1d")
    learned = configure(KINDS[0], "learned")
    assert count(widened) - count(learned) == 3 * 8  # biases of the extra units

from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
import torch
from random_tasks import puzzles

from stages.core.model.transformer import Transformer
from stages.core.positions.sinusoids import sinusoid
from stages.core.randomness.streams import Replicates
from stages.core.settings.configuration import Architecture, Configuration, read_configuration
from stages.core.settings.sizes import Model, Training
from stages.training.assemble import assemble
from stages.training.checkpoint import Checkpoint
from stages.training.draws import draw_kept, draw_step, forget_draws
from stages.training.fit import fit
from stages.training.forward import Forward, forward_replicas

TASK = puzzles()
SIZES = Model(16, 2, 2, 2)
TRAINING = Training(seeds=2, epochs=3, batch_size=10, learning_rate=0.01)


def model(
    dropout: float | None, numbers: range = range(2), markers: Literal["none", "cls"] = "none"
) -> Transformer:
    architecture = Architecture(dropout=dropout, markers=markers)
    configuration = Configuration("pe", "sinusoidal_nd", {}, architecture)
    return assemble(TASK, configuration, SIZES, Replicates(0, "grid", numbers))


def test_the_stated_share_is_dropped_and_the_rest_made_up_for() -> None:
    replicates = Replicates(0, "grid", range(3))
    dropping, inputs = model(0.25, range(3), "cls"), torch.zeros(3, 40, 16, dtype=torch.long)
    kept = draw_kept(dropping, inputs, replicates.generators("dropout", 1, 0))
    assert kept.shape == (3, 2, 40, 17, 16)
    assert np.unique(kept) == pytest.approx([0, 4 / 3])
    assert kept.mean().item() == pytest.approx(1, abs=0.01)
    alone = draw_kept(dropping, inputs[2:], replicates.generators("dropout", 1, 0)[2:])
    assert alone.equal(kept[2:])


def test_what_is_dropped_is_tokens_with_tables() -> None:
    dropping, codes = model(0.5), torch.zeros(2, 4, 16, dtype=torch.long)
    whole = dropping(codes)
    dropping.kept = torch.ones(2, 2, 4, 16, 16)
    assert dropping(codes).equal(whole)
    dropping.kept[:, 1] = 0  # tables before the second block, and all that came before
    assert dropping(codes).equal(dropping(codes.fill_(3))) and not dropping(codes).equal(whole)


def test_training_drops_anew_in_each_step_and_scores_without(tmp_path: Path) -> None:
    def losses(dropout: float | None, numbers: range) -> torch.Tensor:
        trained = model(dropout, numbers)
        replicates, nowhere = Replicates(0, "grid", numbers), Checkpoint(tmp_path / str(numbers), "no key")
        history = fit(Forward(trained), TASK, TRAINING, replicates, len(numbers), nowhere, lambda _: None)
        nowhere.path.unlink()
        assert trained.kept is None
        return torch.tensor([score.values for score in history if score.split == "train"])

    dropped = losses(0.5, range(2))
    assert not dropped.allclose(losses(None, range(2)), rtol=0.01)
    torch.testing.assert_close(losses(0.5, range(1, 2)), dropped[:, 1:], rtol=1e-5, atol=1e-6)


RANDOMISED = {"scheme": "randomised", "length": 64}


def randomised(numbers: range = range(3), **values: Any) -> Transformer:
    configuration = read_configuration("pe", {**RANDOMISED, **values})
    return assemble(TASK, configuration, SIZES, Replicates(0, "grid", numbers))


def test_places_are_drawn_in_order_for_each_seed_and_step() -> None:
    drawing, inputs = randomised(), torch.zeros(3, 4, 16, dtype=torch.long)
    drawn = []
    for step in ((1, 0), (1, 1), (1, 0)):
        draw_step(drawing, inputs, Replicates(0, "grid", range(3)), *step)
        assert drawing.encoding.drawn is not None
        drawn.append(drawing.encoding.drawn)
    assert drawn[0].equal(drawn[2]) and not drawn[0].equal(drawn[1]) and drawn[0].shape == (3, 16)
    assert (drawn[0].diff(dim=1) >= 1).all() and drawn[0].max() < 64 and not drawn[0][0].equal(drawn[0][1])
    alone = randomised(range(2, 3))
    draw_step(alone, inputs[2:], Replicates(0, "grid", range(2, 3)), 1, 0)
    assert drawn[0][2:].equal(alone.encoding.drawn)  # type: ignore[arg-type]
    table = drawing.encoding.table(0)
    expected = sinusoid(drawn[0][1].numpy(), 16)
    torch.testing.assert_close(table[1], torch.from_numpy(expected).float())  # type: ignore[index]
    part = forward_replicas(drawing, inputs[1:], None, slice(1, 3))
    torch.testing.assert_close(part, drawing(inputs)[1:])
    forget_draws(drawing)
    means = sinusoid((np.arange(16) + 1) * 65 / 17 - 1, 16)
    torch.testing.assert_close(drawing.encoding.table(0)[0], torch.from_numpy(means).float())  # type: ignore[index]


def test_parts_draw_apart_and_are_no_state() -> None:
    parts = [RANDOMISED, RANDOMISED]
    configuration = read_configuration("pe", {"scheme": "combined", "parts": parts})
    combined = assemble(TASK, configuration, SIZES, Replicates(0, "grid", range(2)))
    draw_step(combined, torch.zeros(2, 4, 16, dtype=torch.long), Replicates(0, "grid", range(2)), 1, 0)
    one, other = (part.drawn for part in combined.encoding.parts)  # type: ignore[union-attr]
    assert not one.equal(other) and not [name for name in combined.state_dict() if "drawn" in name]


@pytest.mark.parametrize("at_once", [1, 2])
def test_training_with_draws_is_the_same_resumed_and_in_parts(at_once: int, tmp_path: Path) -> None:
    replicates = Replicates(0, "grid", range(2))

    def losses(epochs: list[int], at_once: int, path: str) -> list[Any]:
        for last in epochs:
            training, trained = replace(TRAINING, epochs=last), randomised(range(2))
            kept = Checkpoint(tmp_path / path, "key")
            history = fit(Forward(trained), TASK, training, replicates, at_once, kept, lambda _: None)
            assert trained.encoding.drawn is None
        return [score.values for score in history if score.split == "train"]

    whole = losses([3], 2, "whole")
    assert losses([1, 3], 2, "resumed") == whole
    assert losses([3], at_once, "parts") == [pytest.approx(one, rel=1e-5) for one in whole]
    usual = model(None)
    history = fit(
        Forward(usual), TASK, TRAINING, replicates, 2, Checkpoint(tmp_path / "u", ""), lambda _: None
    )
    assert [score.values for score in history if score.split == "train"] != whole

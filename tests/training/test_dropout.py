from pathlib import Path
from typing import Literal

import numpy as np
import pytest
import torch
from random_tasks import puzzles

from stages.core.model.transformer import Transformer
from stages.core.randomness.streams import Replicates
from stages.core.settings.configuration import Architecture, Configuration
from stages.core.settings.sizes import Model, Training
from stages.training.assemble import assemble
from stages.training.checkpoint import Checkpoint
from stages.training.dropout import draw_kept
from stages.training.fit import fit
from stages.training.forward import Forward

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

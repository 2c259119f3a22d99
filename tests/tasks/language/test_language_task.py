import numpy as np
import pytest
import torch
from changed_params import change_settings
from made_verses import TOKENS, WORDS, make_verses

from stages.core.randomness.streams import Replicates
from stages.core.settings.configuration import Configuration, read_configuration
from stages.core.settings.sizes import Model, Training
from stages.tasks.language.scoring import SCORING
from stages.tasks.language.task import Language, load
from stages.training.assemble import assemble
from stages.training.fit import step
from stages.training.forward import Forward
from stages.training.optimisers import optimiser_for
from stages.training.predict import mean_score, predictions

REPLICATES = Replicates(0, "language", [0, 1])
UNSEEN = WORDS + 2
OBJECTIVES = ("left_to_right", "blanks")


def load_made(objective: str) -> Language:
    changes = {"language.objective": objective, "scales.smoke.language.data.words": TOKENS}
    changes["scales.smoke.language.data.tokens"] = TOKENS
    return load(change_settings(changes), make_verses(objective), torch.device("cpu"))


def test_from_left_to_right_a_token_is_the_word_before_the_one_that_is_asked() -> None:
    batch = next(load_made("left_to_right").epoch(REPLICATES, 1, 50))
    assert (batch.inputs[..., 0] == UNSEEN).all()
    assert torch.equal(batch.inputs[..., 1:], batch.targets[..., :-1] + 1)
    assert batch.counted is not None and torch.equal(batch.counted > 0, batch.targets >= 0)


def test_a_blank_carries_nothing_of_its_word_and_is_all_that_counts() -> None:
    batch = next(load_made("blanks").epoch(REPLICATES, 1, 50))
    assert batch.counted is not None
    hidden = batch.counted > 0
    assert (batch.inputs[hidden] == UNSEEN).all() and (batch.targets[hidden] >= 0).all()
    assert torch.equal(batch.inputs[~hidden], batch.targets[~hidden] + 1)
    assert (hidden.sum(-1) == 1).all()  # 15 % of at most eight words
    assert not torch.equal(hidden[0], hidden[1])  # each replicate's own


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_mean_score_of_verses_is_that_of_words(objective: str) -> None:
    task = load_made(objective)
    model = assemble(task, Configuration("pe", "none", {}), Model(8, 1, 1, 2), REPLICATES)
    stored = {f"{split}_losses": predictions(model, task, split) for split in task.splits}
    scores = dict(SCORING.score_splits(stored | {"train_rows": task.train_rows}, make_verses(objective)))
    for split in ("test", "validation"):
        np.testing.assert_allclose(mean_score(model, task, split), scores[split]["loss"], rtol=1e-5)


def test_training_counts_every_word_alike() -> None:
    task = load_made("left_to_right")
    batch = next(task.epoch(REPLICATES, 1, 200))
    losses = task.loss(torch.zeros(2, 200, TOKENS, WORDS + 1), batch).mean(dim=1)
    np.testing.assert_allclose(losses, np.log(WORDS + 1), rtol=1e-5)  # equal outputs: a guess, for each word


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_tiny_model_learns_the_planted_order(objective: str) -> None:
    task, data = load_made(objective), make_verses(objective)
    settings = {"scheme": "learned"} | ({"mask": "causal"} if objective == "left_to_right" else {})
    model = assemble(task, read_configuration("pe", settings), Model(16, 1, 1, 2), REPLICATES)
    training = Training(seeds=2, epochs=20, batch_size=50, learning_rate=0.02)
    forward, optimiser = Forward(model), optimiser_for(model, training)
    for epoch in range(1, training.epochs + 1):
        for batch in task.epoch(REPLICATES, epoch, training.batch_size):
            step(forward, task, batch, optimiser, 2)
    found = SCORING.score_floors(change_settings({"language.objective": objective}), data)
    floors = {floor: float(scores["loss"][0]) for floor, split, scores in found if split == "validation"}
    assert (mean_score(model, task, "validation") < 0.6 * floors["floor_unigram"]).all()

from dataclasses import replace

import pandas as pd
import pytest
from a_report import inputs, runs, with_scores

from stages.reporting import limits

SIGMAS = {"a": 0.1, "b": 0.2, "c": 0.5}
SCORES = {"a": [0.2, 0.3], "b": [0.8, 0.9], "c": [0.5, 0.6]}


def test_what_seeds_do_not_vary_names_the_people() -> None:
    known = inputs()
    subjects = known.settings.recordings.validation_subjects
    assert f"the {len(subjects)} people held out ({' and '.join(subjects)})" in limits.same_for_every_seed(
        known
    )


@pytest.mark.parametrize(("train", "said"), [(SCORES, True), (SCORES | {"b": [0.1, 0.1]}, False)])
def test_training_scores_in_the_same_order(train: dict[str, list[float]], said: bool) -> None:
    table = pd.concat([runs(**SCORES), runs(**train).assign(split="train")])
    known = replace(inputs(), sigmas={"grid": SIGMAS}, tables={"runs": table})
    assert ("over the 3 \u03c3" in " ".join(limits.fitted_alike(known))) == said


@pytest.mark.parametrize(
    ("seeds", "words"),
    [([0.2, 0.9, 1.0], "1 of 2 intervals of shares"), ([0.5, 0.5, 0.51], "")],
)
def test_intervals_beyond_what_a_share_can_be(seeds: list[float], words: str) -> None:
    found = " ".join(limits.beyond_bounds(with_scores(learned_s020=[0.5, 0.52, 0.51], learned_s200=seeds)))
    assert found.startswith(words) and bool(found) == bool(words)
    assert "0.20, 0.90 and 1.00" in found or not words

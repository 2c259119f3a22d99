import pandas as pd
from changed_params import ROOT
from small_studies import make_scores, make_study

from stages.reporting.rows import list_lost, write_test
from stages.studies import claim
from stages.studies.judging.results import Decided, Difference
from stages.studies.judging.statistics import Numbers
from stages.studies.planning.load import load_study


def test_over_the_axis_its_values_are_what_is_counted() -> None:
    test = claim.Test("learned", "network", "other", over="axis")
    found = Difference("network", "score", ("learned", ""), ("other", ""), Numbers(2))
    assert write_test(make_study(), Decided(test, found, "not run"))["n"] == "2 settings"


def test_what_diverged_is_named() -> None:
    study = load_study(ROOT, "sigma")
    of_seeds = {("learned", "0.2"): [1.0, 0.0, 1.0], ("none", ""): [0.0, 0.0, 0.0]}
    lost = list_lost(study, make_scores(of_seeds, "grid", "train/diverged"))
    assert lost == ["Latin-square puzzles, learned σ 0.2: 2 of 3 seeds"]
    # a stage for each seed: those that did not diverge say nothing
    apart = [make_scores({("learned", "0.2"): [0.9] * 4}, "grid")]
    apart += [make_scores({("learned", "0.2"): [1.0]}, "grid", "train/diverged")]
    assert list_lost(study, pd.concat(apart)) == ["Latin-square puzzles, learned σ 0.2: 1 of 4 seeds"]

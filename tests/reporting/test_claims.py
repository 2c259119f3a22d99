"""Claims of a report whose numbers are known, and that no sentence of the findings is without one."""

import re
from dataclasses import replace

import pandas as pd
from a_report import inputs, over_seeds, with_scores

from stages.reporting.claims import PAIRS, list_claims
from stages.reporting.inputs import Inputs
from stages.reporting.templates import FOLDER

NO_PEOPLE = pd.DataFrame(columns=["encoding", "difference", "difference_low", "difference_high"])
PARTIAL = {"block": "all", "reference": "same_line", "given": "grid_distance"}


def verdicts(known: Inputs) -> dict[str, str]:
    partial = over_seeds(same=PARTIAL, learned_s020=[0.3, 0.31, 0.32], learned_s200=[-0.1, 0.0, 0.1])
    tables = {"partial": partial, "people": NO_PEOPLE, **known.tables}
    return {claim.about: claim.verdict for claim in list_claims(replace(known, tables=tables))}


def test_each_has_the_verdict_of_its_interval() -> None:
    assert verdicts(inputs()) == {
        "grid: a table of \u03c3 = 0.2 mirrors same_line": "shown",
        "grid: score at \u03c3 = 0.2": "among the best",
        "grid: score at \u03c3 = 2": "behind the best",
        "grid: \u03c3 = 0.2 holds same_line beyond grid_distance": "shown, the other not shown",
        "grid: \u03c3 = 2 holds same_line beyond grid_distance": "not shown",
        "grid: learned_s020 (\u03c3 = 0.2) beside learned_s200 (\u03c3 = 2), as published": "same",
    }


def test_which_of_two_equals_is_best_is_no_claim() -> None:
    one, other = (
        with_scores(learned_s020=[0.5, 0.6, 0.7], learned_s200=[0.6, 0.5, 0.6]),
        with_scores(learned_s020=[0.6, 0.5, 0.6], learned_s200=[0.5, 0.6, 0.7]),
    )
    assert verdicts(one) == verdicts(other)
    assert verdicts(one)["grid: score at \u03c3 = 2"] == "among the best"


def test_the_probe_s_claims_are_theory_s() -> None:
    probe = pd.DataFrame({"configuration": ["none", "rope"], "agrees": [True, False], "accuracy": [0.1, 0.2]})
    known = inputs()
    settings = replace(known.settings, tasks={**known.settings.tasks, "probe": []})
    claims = verdicts(replace(known, settings=settings, tables={**known.tables, "probe": probe}))
    assert claims["probe: none tells tokens apart"] == "as theory says"
    assert claims["probe: rope tells tokens apart"] == "not as theory says"


def test_every_pair_of_the_doubts_is_claimed() -> None:
    asked = re.findall(
        r'(?:beside\(task, |\("[A-Z][a-z ]+", )"(\w+)", "(\w+)"\)', (FOLDER / "doubts.md.j2").read_text()
    )
    assert set(asked) == set(PAIRS)

"""Tests that no scores could decide are refused before anything is trained, with the reason."""

from pathlib import Path
from typing import Any

import pytest
from small_studies import cells_of, claim, write_study

from stages.studies.checks.foresee import find_watched
from stages.studies.planning.plan import plan_study

ROOT = Path(__file__).parents[3]
CELLS: dict[str, Any] = {
    "a": {"scheme": "learned"},
    "b": {"scheme": "random_fixed"},
    "z": {"scheme": "none"},
}
FIVE = {"of": "init_std", "values": [0.1, 0.2, 0.5, 1.0, 2.0]}
TEN = {"of": "init_std", "values": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]}
RATES = {"of": "training.learning_rate", "values": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]}
OVER = {"over": "axis"}
BOTH = {"metric": "alignment", "correlate": "score", "than": 0, "expect": "above"}
THEIRS = BOTH | OVER | {"correlate": "published"}
GAIN = {"metric": "gain", "than": 0, "expect": "above"}
LIKE = {"metric": "attention/cosine_model", "than": 0.5, "expect": "above"}
NEW = {"b": "b", "metric": "validation/new"}
ATTENTION = {"measures": ["attention"], "attention_of": "z"}
GRID = {"tasks": ["grid"], "beside": str(ROOT / "data/reference/lst_published_accuracy.csv")}


def plan(root: Path, test: dict[str, Any], **study: Any) -> None:
    task = study.get("tasks", ["network"])[0]
    claims = {"c": claim({"task": task, "a": "a"} | test)}
    plan_study(write_study(root, {}, **{"cells": CELLS, "axis": FIVE} | study, claims=claims), "own")


@pytest.mark.parametrize(
    ("test", "study", "why"),
    [
        (
            {"b": "b"} | OVER,
            {"axis": FIVE | {"values": [0.2]}},
            "1 values of the axis are too few, expected 3",
        ),
        ({"b": "b", "at": [0.2, 2]} | OVER, {}, "2 values of the axis are too few"),
        (BOTH | OVER, {"axis": FIVE | {"values": [0.2, 2]}}, "2 values of the axis are too few"),
        (BOTH | OVER, {}, "5 values of the axis are too few to tell a correlation from 0"),
        (BOTH, {"seeds": 1}, "one of both never varies within a value of the axis"),
        (BOTH | {"at": [0.2]}, {"seeds": 3}, "3 models are too few to tell"),
        (BOTH | {"a": "z"}, {}, "z will have no alignment;"),
        (BOTH | {"a": "b"} | OVER, {"axis": RATES}, "one of both never varies along the axis"),
        (BOTH | {"a": "b", "correlate": "gain"}, {}, "one of both never varies within"),
        (
            {"b": "floor_gaussian", "metric": "alignment", "expect": "above"},
            {},
            "floor_gaussian will have no al",
        ),
        (NEW, {"set": {"network.held_out": 0}}, "a will have no validation/new at 0.1;"),
        (NEW, {"tasks": ["recordings"]}, "a will have no validation/new at 0.1;"),  # none of them by default
        (NEW | {"b": "floor_zero"}, {"tasks": ["recordings"]}, "will have no validation/new"),
        (GAIN | {"a": "b"}, {}, "its tables stay as they are drawn"),
        (GAIN, {"set": {"training.epochs": 0}}, "its tables stay as they are drawn"),
        (GAIN | {"metric": "tables/alignment_added", "a": "b"}, {}, "b will have no tables/alignment_added"),
        (LIKE, ATTENTION | {"cells": CELLS | {"z": {"scheme": "none", "seeds": 4}}}, "a will have no att"),
        (
            LIKE,
            ATTENTION | {"cells": CELLS | {"z": {"scheme": "learned", "dropout": 0.1, "at": [2]}}},
            "at 0.1;",
        ),
        (THEIRS | {"a": "b"}, GRID, "its score was published at no value of this axis"),
        (THEIRS, GRID | {"axis": RATES}, "its score was published at no value of this axis"),
        (THEIRS, GRID | {"axis": FIVE | {"values": [0.1, 0.15, 0.5]}}, "its score was published at 0.1, 0.2"),
        (
            {"published": True, "metric": "alignment", "expect": "above"},
            GRID,
            "its alignment was published at no",
        ),
    ],
)
def test_a_test_that_nothing_decides(
    test: dict[str, Any], study: dict[str, Any], why: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=f"claims.c: .* can never be decided, as .*{why}"):
        plan(tmp_path, test, **study)


@pytest.mark.parametrize(
    ("study", "why"),
    [
        ({"tasks": ["grid"]}, "published given without `beside`"),
        (GRID | {"set": {"grid.protocol": "even"}}, "with grid.protocol it is no published model"),
        (GRID | {"set": {"model.width": 8}}, "with model.width it is no published model"),
    ],
)
def test_a_correlation_with_what_was_published_of_another_model(
    study: dict[str, Any], why: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=f"claims.c: .*{why}"):
        plan(tmp_path, THEIRS, **study)


@pytest.mark.parametrize(
    ("test", "study"),
    [
        (BOTH, {}),
        (BOTH | {"at": [0.2]}, {}),  # a larger scale has seeds enough
        (BOTH | OVER, {"axis": TEN}),
        (BOTH | OVER, {"axis": RATES}),
        (GAIN | {"than": None, "b": "b"}, {}),
        (LIKE, ATTENTION),
        (THEIRS, GRID | {"axis": TEN}),
    ],
)
def test_what_scores_may_decide_is_planned(
    test: dict[str, Any], study: dict[str, Any], tmp_path: Path
) -> None:
    plan(tmp_path, test, **study)


def test_attention_is_compared_with_that_of_a_model_of_the_same_heads_blocks_and_seeds() -> None:
    cells: dict[str, Any] = {
        "one": {"scheme": "learned"},
        "other": {"scheme": "none"},
        "heads": {"scheme": "none", "set": {"model.heads": 2}},
        "blocks": {"scheme": "none", "set": {"model.blocks": 2}},
        "seeds": {"scheme": "none", "seeds": 5},
    }
    made = cells_of(tasks=["grid"], cells=cells)
    found = [find_watched(name, made["grid-one"], made) for name in cells]
    assert found == ["grid-one", "grid-other", None, None, None]
    assert find_watched(None, made["grid-one"], made) is None

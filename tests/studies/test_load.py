import pytest
from small_studies import claim, make_scores, make_study

from stages.parameters.errors import InputError
from stages.studies.load import check_scored

TEST = {"task": "network", "a": "learned"}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"claims": {"c": claim(TEST | {"b": "floor_gausian"})}},
            "studies/own.yaml: claims.c: 'floor_gausian' was not scored; expected floor_gaussian",
        ),
        (
            {"figure": {"kind": "rows", "metrics": ["validation/nwe"]}},
            "studies/own.yaml: figure.metrics: 'validation/nwe' was not scored; expected validation/new",
        ),
        (
            {"claims": {"c": claim({"task": "network", "a": "floor_gausian", "than": 1.0})}},
            "studies/own.yaml: claims.c: 'floor_gausian' was not scored; expected floor_gaussian",
        ),
        (
            {"compare": {"x": {"first": "learned", "against": ["floor_gausian"]}}},
            "studies/own.yaml: compare.x: 'floor_gausian' was not scored; expected floor_gaussian",
        ),
        (
            {"figure": {"kind": "rows", "cells": ["learned", "floor_gausian"]}},
            "studies/own.yaml: figure.cells: 'floor_gausian' was not scored; expected floor_gaussian",
        ),
        ({"claims": {"c": claim(TEST | {"b": "floor_gaussian@2"})}}, None),
        ({"claims": {"c": claim(TEST | {"b": "floor_trees"})}}, None),  # as of a network of many nodes
    ],
)
def test_what_was_not_scored_is_named_where_it_may_be_misspelt(
    changes: dict[str, object], said: str | None
) -> None:
    scores = make_scores({("learned", ""): [0.1], ("floor_gaussian", ""): [0.2]}, metric="validation/new")
    if said is None:
        return check_scored("own", make_study(**changes), scores)
    with pytest.raises(InputError, match=said):
        check_scored("own", make_study(**changes), scores)
    return None

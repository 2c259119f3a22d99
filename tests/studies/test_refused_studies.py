"""Mistakes in a study: each is one line, before anything is trained."""

import re
from pathlib import Path
from typing import Any

import pytest
from small_studies import FETCHED, SIGMA, TABLES, cells_of, claim, write_study

from stages.studies.planning.plan import plan_study

LEARNED = {"scheme": "learned"}
START = LEARNED | {"start": {"tables": "a"}}
SIZED = {"tables": "a", "sized_as": "c"}
BESIDE_ONE = {"task": "network", "a": "learned", "than": 1.0}
BESIDE_FLOOR = {"task": "network", "a": "learned", "b": "floor_gaussian"}
A_AND_B = {"x": {"pairs": [["a", "b"]]}}


def asked(*tests: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"claims": {"c": claim(*tests)}, **more}


def said(root: Path, **values: Any) -> str:
    with pytest.raises(ValueError) as error:
        plan_study(write_study(root, {}, **values), "own")
    assert "\n" not in str(error.value)
    return str(error.value).removeprefix("studies/own.yaml").lstrip(":, ")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"figur": 1}, "figur: unknown key"),
        ({"figure": {"kind": "pie"}}, "figure.kind: 'pie' given, expected 'lines', 'rows'"),
        ({"tasks": ["maze"]}, "task 'maze' is not known; expected one of even_tokens, grid"),
        ({"cells": {"a": {"scheme": "lerned"}}}, "cells.a.scheme: 'lerned' given, expected learned"),
        ({"cells": {"a": {"scheme": "lerned"}}, "axis": SIGMA}, "cells.a.scheme: 'lerned' given"),
        ({"cells": {"a": LEARNED | {"sigma": 1}}}, "network-a: cells.a.sigma: 1 given, but learned has no"),
        (
            {"cells": {"a": LEARNED | {"tasks": ["grid"]}}},
            "cells.a.tasks: 'grid' given, not of this study; expected",
        ),
        (
            {"cells": {"a": LEARNED | {"at": [3]}}, "axis": SIGMA},
            "cells.a.at: the axis has no '3'; expected one",
        ),
        ({"cells": {"a": LEARNED | {"start": {"table": "a"}}}}, "cells.a.start.table: unknown"),
        ({"set": {"training.epoch": 3}}, "network-learned: scales.smoke.network.training.epoch: unknown key"),
        ({"set": {"network.node": 3}}, "network-learned: network.node: unknown key"),
        ({"axis": {"of": "init_std"}}, "axis: {'of': 'init_std'} given, expected either `of` with `values`"),
        (
            {"compare": {"x": {"pairs": [["learned", "non"]]}}},
            "compare.x: 'non' given, no such cell; expected ",
        ),
        (
            {"compare": {"x": {"pairs": [["learned@3", "learned"]]}}, "axis": SIGMA},
            "compare.x: 'learned@3' given, no such value",
        ),
        ({"figure": {"kind": "rows", "cells": ["x"]}}, "figure.cells: 'x' given, no such cell"),
        (
            {"figure": {"kind": "lines", "cells": ["learned@2"]}, "axis": SIGMA},
            "figure.cells: 'learned@2' given, no such cell; expected learned",
        ),
        (
            {"figure": {"kind": "lines"}},
            "figure.kind: 'lines' given, expected rows: only a study with an axis",
        ),
        (
            {"figure": {"kind": "rows", "metrics": ["aligment"]}},
            "figure.metrics.0: 'aligment' given, expected alignment",
        ),
        (
            {"figure": {"kind": "rows", "metrics": ["mse"]}},
            "figure.metrics.0: 'mse' given, expected score, train, alignment, gain or",
        ),
        (asked(BESIDE_ONE | {"a": "lerned"}), "claims.c: 'lerned' given, no such cell"),
        ({"attention_of": "learned"}, "attention_of: given, which takes `measures: \\[attention]`; add it"),
        (
            {"attention_of": "lerned", "measures": ["attention"]},
            "attention_of: 'lerned' given, no such cell; expected learned",
        ),
        (
            {"measures": ["attention"], "figure": {"kind": "rows", "metrics": ["attention/cosine_model"]}},
            "figure.metrics: 'attention/cosine_model' given, which takes `attention_of: a cell`; add it",
        ),
        (asked(BESIDE_ONE | {"b": "learned"}), "claims.c.tests.0: .* expected one of b, than"),
        (
            asked({"task": "network", "a": "learned", "b": "floor_x", "over": "axis"}),
            "claims: over: 'axis' given, but the study has none",
        ),
        (
            asked(BESIDE_ONE | {"over": "axis"}, axis=SIGMA),
            "claims.c.tests.0: .* expected a cell or a floor as b, as over: axis",
        ),
        (
            asked(BESIDE_FLOOR | {"a": "learned@2", "over": "axis"}, axis=SIGMA),
            "claims.c.tests.0: .* expected a and b without @, as over: axis",
        ),
        (asked(BESIDE_FLOOR | {"b": "learned"}), "claims.c.tests.0: .* not 'learned' twice"),
        (asked(BESIDE_ONE | {"a": "floor_gaussian"}), "claims.c: 'floor_gaussian' has one value"),
        (asked(BESIDE_FLOOR | {"a": "floor_zero"}), "claims.c: 'floor_zero' has one value"),
        (asked(BESIDE_ONE | {"at": [3]}, axis=SIGMA), "claims.c.at: the axis has no '3'"),
        (
            {"cells": {"random": LEARNED}},
            "cells.random: 'learned' given, but the name looks like random_fixed;",
        ),
        (
            {"cells": {"none_learned": LEARNED}},
            "cells.none_learned: 'learned' given, but the name looks like none",
        ),
        (
            {"cells": {"truth_free": LEARNED}},
            "cells.truth_free: 'learned' given, but the name looks like mds;",
        ),
        (
            {"cells": {"rope_nd_wide": {"scheme": "rope"}}},
            "cells.rope_nd_wide: 'rope' given, but the name looks",
        ),
        (
            {"cells": {"heads_s050": LEARNED}},
            "cells.heads_s050: s050 in the name looks like init_std 0.5, but none is",
        ),
        (
            {"cells": {"s020": LEARNED | {"init_std": 2.0}}},
            "cells.s020: s020 in the name looks like init_std 0.2, but 2",
        ),
        (
            {"cells": {"exchanged": LEARNED}},
            "cells.exchanged: the name says that its table is shuffled, but it is",
        ),
        (
            {"axis": {"of": "pe.init_std", "values": [1, 2]}},
            "axis.of: 'pe.init_std' given, which is of `focus` alone; expected configuration.init_std",
        ),
        ({"set": {"pe.init_std": 1}}, "set: 'pe.init_std' given, which is of `focus` alone"),
        (
            {"cells": {"a": LEARNED | {"set": {"pe.scheme": "none"}}}, "focus": True},
            "cells.a.set: 'pe.scheme' given, which is of `focus` alone",
        ),
        (
            asked(BESIDE_ONE | {"a": "learned@2", "at": [2]}, axis=SIGMA),
            "claims.c.tests.0: .* expected either `at`, or values of the axis behind @",
        ),
        (
            asked({"task": "network", "a": "learned", "published": True}),
            "claims.c: published given without `beside`",
        ),
        (
            {"cells": {"a": {"scheme": "none", "at": [2]}}, "axis": SIGMA},
            r"cells.a.at: \[2\] given, but the axis varies no such cell; leave it out",
        ),
        (
            {"cells": {"a": LEARNED, "b": LEARNED | {"start": {"tables": "a", "sized_as": ["a"]}}}},
            r"cells.b.start.sized_as: \['a'\] given",
        ),
        (
            asked(BESIDE_ONE | {"metric": "alignment"}),
            "claims.c.tests.0: .* expected `above` or `below`, as neither end of alignment is better",
        ),
        ({"set": {"training.epochs": {"times": float("inf")}}}, "set.training.epochs: .*inf.* given"),
        (asked(BESIDE_ONE | {"metric": "scroe"}), "claims.c.tests.0.metric: 'scroe' given"),
        (
            {"tables": {"one": FETCHED}},
            "tasks and cells and tables given, expected tasks and cells, or only tables",
        ),
        ({"cells": {}}, "tasks given, expected tasks and cells, or only tables; correct it$"),
        (
            TABLES | {"tasks": [], "cells": {}, "compare": {"x": {"pairs": [["one", "one_shufled"]]}}},
            "compare.x: 'one_shufled' given, no such",
        ),
        (
            TABLES | {"tasks": [], "cells": {}, "tables": {"one": FETCHED | {"sha256": "0"}}},
            "tables.one.sha256: '0' given",
        ),
        (
            asked({"a": "learned", "than": 1.0}),
            "claims.c.task: '' given, not of this study; expected one of network",
        ),
        (asked(), r"claims.c.tests: \[\] given"),
        ({"axis": {"of": "init_sdt", "values": [1, 2]}}, "axis.of: 'init_sdt' given, .* expected init_std"),
        (
            {"axis": {"of": "network.graph", "values": ["ring"]}},
            "axis.values: .* expected a list of finite numbers",
        ),
        (
            {"axis": {"of": "init_std", "values": [float("nan")]}},
            r"axis.values: \[nan\] given, expected a list of f",
        ),
        (asked(BESIDE_ONE | {"expect": {"within": -1}}), "claims.c.tests.0.expect: .*better"),
        ({"tasks": ["network", "network"]}, "tasks: network given 2 times"),
        ({"cells": {"focus": LEARNED}}, "cells.focus: names that begin with floor_ are baselines, and"),
        ({"cells": {"a" * 99: LEARNED}}, r"cells.a+\.\.\.: a name of 99 letters, expected at most 60"),
        (
            {"cells": {"a": LEARNED | {"seeds": 3}, "b": START}},
            "network-b.start.tables: 3 seeds of network-a, ",
        ),
        (
            {"cells": {"a": LEARNED, "c": LEARNED | {"seeds": 3}, "b": START | {"start": SIZED}}},
            "network-b.start.sized_as: 3 seeds of network-c, ",
        ),
        (
            {"cells": {"a": LEARNED, "c": {"scheme": "none"}, "b": START | {"start": SIZED}}},
            "network-b.start.sized_as: network-c has no tables",
        ),
        (
            {
                "cells": {
                    "a": LEARNED,
                    "c": LEARNED | {"set": {"model.expansion": 3}},
                    "b": LEARNED | {"start": {"tables": "a", "weights": "c"}},
                }
            },
            "network-b.start.weights: network-c is a model of other sizes than network-b",
        ),
        ({"axis": {"of": "grid.order", "values": [4]}}, "axis.of: 'grid.order' is of grid; expected network"),
        ({"axis": {"of": "init_std", "values": [2.0, 2]}}, "axis.values: 2 given more than once"),
        ({"axis": {"of": "init_std", "values": [0, -0.0]}}, "axis.values: 0 given more than once"),
        ({"set": {"scale": "paper"}}, "set: 'scale' given; expected the study's own key, scale: paper"),
        (
            {"cells": {"a": LEARNED | {"set": {"scale": "paper"}}}},
            "cells.a.set: 'scale' given; expected the study's own key",
        ),
        (
            {"cells": {"Learned": LEARNED, "learned": LEARNED | {"init_std": 2.0}}},
            "cells: network-Learned and network-learned differ only in capitals; rename one",
        ),
        (
            {"axis": {"settings": {"wide": {}, "Wide": {"training.epochs": 3}}}},
            "cells: network-learned-Wide and network-learned-wide differ only in capitals",
        ),
        (
            {"cells": {"a": LEARNED, "b": LEARNED | {"init_std": 0.1}}},
            "network-a and network-b are one cell under two names",
        ),
        (
            {"cells": {"a": LEARNED, "b": LEARNED | {"normaliser": "softmax", "where": "every_block"}}},
            "network-a and network-b are one cell under two names",
        ),
        (
            {"cells": {"a": LEARNED, "b": LEARNED | {"set": {"training.optimiser": "adamw"}}}},
            "network-a and network-b are one cell under two names",
        ),
        (
            {
                "cells": {"a": LEARNED, "b": LEARNED | {"set": {"training.weight_decay": 0.0}}},
                "set": {"training.weight_decay": 0},
            },
            "network-a and network-b are one cell under two names",
        ),
        (
            {"axis": {"settings": {"x": {"training.epochs": 3}, "y": {"training.epochs": 3}}}},
            "network-learned-x and network-learned-y are one cell",
        ),
        (
            {"cells": {"a": LEARNED | {"init_std": 0}, "b": LEARNED | {"init_std": -0.0}}},
            "network-a and network-b are one cell",
        ),
        ({"axis": {"settings": {"x": {"tasks": ["grd"]}}}}, "axis.settings.x.tasks: 'grd' given"),
        ({"axis": {"settings": {"x": {"tasks": "grid"}}}}, "axis.settings.x.tasks: 'grid' given, expected a"),
        ({"set": {"grid.order": 5}}, "set: 'grid.order' is of grid"),
        ({"set": {"training": {"epochs": 3}}}, "set.training: .*name each parameter of a section"),
        ({"set": {"training.epochs": {"times": "two"}}}, "set.training.epochs: .* expected a value, or"),
        ({"set": {"training.epochs.x": 2}}, "set: 'training.epochs.x' given, expected a section and a name"),
        ({"scale": "smal"}, "scale: 'smal' given, expected small"),
        ({"cells": {"a": LEARNED | {"at": 0.2}}, "axis": SIGMA}, "cells.a.at: 0.2 given, expected"),
        ({"cells": {"a": LEARNED | {"at": [0.2]}}}, r"cells.a.at: \[0.2\] given, but the study has no axis"),
        ({"cells": {"a": LEARNED | {"seeds": 0}}}, "cells.a.seeds: 0 given, expected greater"),
        ({"cells": {"a": LEARNED | {"set": [1]}}}, r"cells.a.set: \[1\] given"),
        ({"cells": {"floor_a": LEARNED}}, "cells.floor_a: names that begin with floor_"),
        ({"cells": {"b": START, "a": LEARNED | {"start": "random"}}}, "cells.a.start: 'random' given"),
        ({"cells": {"a": LEARNED | {"start": {"tables": "a"}}}}, "cells.a.start: 'a' starts from itself"),
        (
            {"cells": {"c": LEARNED, "a": LEARNED | {"start": {"tables": "c", "weights": "a"}}}},
            "cells.a.start: 'a' starts from itself",
        ),
        ({"cells": {"a": {"scheme": "none"}, "b": START}}, "network-b.start.tables: network-a has no tables"),
        (
            {"cells": {"a": LEARNED, "b": START | {"set": {"model.blocks": 2}}}},
            "network-b.start.tables: network-a has 1 tables of width 16, but network-b has 2 of 16",
        ),
        (
            {"cells": {"a": LEARNED, "b": START | {"scheme": "random_fixed"}}},
            "network-b.start.tables: network-b has no tables that are learned",
        ),
        ({"cells": {"a": LEARNED, "b": START}, "seeds_apart": True, "seeds": 1}, "cells.b.start: given with"),
        ({"compare": {"x": {}}}, "compare.x: {} given, expected pairs, or first with against"),
        ({"compare": {"x": {"pairs": [["a", "a"]]}}}, "compare.x: .*not 'a' twice"),
        ({"figure": {"kind": "tables"}}, "figure.kind: 'tables' given, expected lines or rows"),
        ({"measures": ["theory"]}, "measures: 'theory' given with tasks"),
        ({"beside": "nowhere.csv"}, "beside: means of puzzles given with tasks .'network'., expected"),
        ({"tasks": ["grid"], "beside": "nowhere.csv"}, "beside: 'nowhere.csv' given, no such file"),
        (
            {"cells": {"a": LEARNED | {"trained": False}}, "claims": {"c": claim(BESIDE_ONE | {"a": "a"})}},
            "claims.c: 'a' is not trained",
        ),
        (
            {
                "cells": {"a": LEARNED, "b": {"scheme": "none"}},
                "compare": {"x": {"pairs": [["a@2", "b@2"]]}},
                "axis": SIGMA,
            },
            "compare.x: 'a@2' given, a has 0.2, 2 on network; 'b@2' given, b has no axis on network; ",
        ),
        (
            {
                "cells": {"a": LEARNED | {"at": [0.2]}, "b": LEARNED | {"at": [2]}},
                "compare": A_AND_B,
                "axis": SIGMA,
            },
            "compare.x: 'a' given, a has 0.2 on network; 'b' given, b has 2 on network",
        ),
        (
            {"cells": {"a": LEARNED | {"set": {"seed": 1}}, "b": {"scheme": "none"}}, "compare": A_AND_B}
            | {"tasks": ["identification"]},
            "compare.x: 'a' is under seed: 1 and 'b' under seed: 0, so that seed by seed they share no draw",
        ),
        (
            {
                "cells": {"a": LEARNED, "b": {"scheme": "none"}},
                "axis": {"settings": {"one": {"seed": 7}, "two": {"seed": 8}}},
                "claims": {"c": claim({"task": "network", "a": "a@one", "b": "a@two"})},
            },
            "claims.c: 'a@one' is under seed: 7 and 'a@two' under seed: 8",
        ),
        (
            {"cells": {"a": LEARNED, "b": {"scheme": "none"}, "c": {"scheme": "rope"}}, "compare": A_AND_B}
            | {"figure": {"kind": "rows", "cells": ["a", "c"]}},
            "figure.cells: .* given, but `compare` has no pair of them",
        ),
        (
            {"cells": {"a": LEARNED | {"first_seed": 5}, "b": LEARNED}, "seeds": 3, "compare": A_AND_B},
            "compare.x: .*; expected a task, a value of the axis and seeds of both",
        ),
        (
            {
                "tasks": ["network", "grid"],
                "cells": {"a": LEARNED | {"tasks": ["grid"]}},
                "claims": {"c": claim(BESIDE_ONE | {"a": "a"})},
            },
            "claims.c: 'a' given, a has nothing on network",
        ),
    ],
)
def test_mistakes_are_one_line_before_anything_is_trained(
    tmp_path: Path, values: dict[str, Any], message: str
) -> None:
    assert re.match(message, said(tmp_path, **values))


def test_an_unknown_study_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="study 'x' is not known; expected one of own"):
        plan_study(write_study(tmp_path, {}), "x")


@pytest.mark.parametrize("name", ["own.yaml", "studies/own.yaml", "own.yml", "../studies/own"])
def test_a_study_is_named_without_its_folder_and_ending(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match=f"study '{name}' given, expected its name alone; write own"):
        plan_study(write_study(tmp_path, {}), name)


def test_a_study_in_a_file_of_another_ending_is_told(tmp_path: Path) -> None:
    (write_study(tmp_path, {}) / "studies/own.yaml").rename(tmp_path / "studies/heads.yml")
    with pytest.raises(ValueError, match="studies/heads.yml found, .*; rename it to heads.yaml"):
        plan_study(tmp_path, "heads")


def test_from_left_to_right_a_cell_needs_the_causal_mask(tmp_path: Path) -> None:
    usual: dict[str, Any] = {"tasks": ["language"], "set": {"language.objective": "left_to_right"}}
    message = "language-learned: cells.learned.mask: none given with language.objective: left_to_right, where"
    assert said(tmp_path, **usual).startswith(message)
    masked = {"set": {**usual["set"], "configuration.mask": "causal"}}
    for allowed in (masked, {"cells": {"causal_none": {"scheme": "causal_none"}}}):
        plan_study(write_study(tmp_path, {}, **usual | allowed), "own")


NOT_BOTH = "given, but the axis decides it; leave one of them out"
TWO_VALUES = {"of": "training.epochs", "values": [1, 2]}


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"axis": SIGMA, "set": {"configuration.init_std": 3}},
            "network-learned-0_2: cells.learned.init_std: 0.2 given, and 3 by configuration.init_std in",
        ),
        (
            {"cells": {"a": LEARNED | {"init_std": 0.1, "set": {"configuration.init_std": 3}}}},
            "network-a: cells.a.init_std: 0.1 given, and 3 by",
        ),
        (
            {"set": {"configuration.scheme": "none"}},
            "network-learned: cells.learned.scheme: 'learned' given, and 'none' by",
        ),
        (
            {"cells": {"a": LEARNED | {"init_std": 0.1}}, "axis": SIGMA | {"of": "configuration.init_std"}},
            "network-a-0_2: cells.a.init_std: 0.1 given, and 0.2 by configuration.init_std",
        ),
        (
            {"focus": True, "set": {"pe.init_std": 1.0, "configuration.init_std": 2.0}},
            "network-focus: pe.init_std: 1.0 given, and 2.0 by",
        ),
        ({"axis": TWO_VALUES, "set": {"training.epochs": 3}}, f"set.training.epochs: 3 {NOT_BOTH}"),
        (
            {"axis": TWO_VALUES, "cells": {"a": LEARNED | {"set": {"training.epochs": 3}}}},
            f"cells.a.set.training.epochs: 3 {NOT_BOTH}",
        ),
        (
            {
                "axis": {"settings": {"x": {"training.epochs": 2}}},
                "cells": {"a": LEARNED | {"set": {"training.epochs": 3}}},
            },
            f"cells.a.set.training.epochs: 3 {NOT_BOTH}",
        ),
        (
            {"seeds": 3, "set": {"training.seeds": 2}},
            "training.seeds: given with seeds: 3; leave one of them",
        ),
        (
            {"axis": SIGMA, "cells": {"a": LEARNED | {"init_std": 0.1}, "b": LEARNED | {"init_std": 1.0}}},
            "axis.of: 'init_std' given, but no cell is varied along it, as a, b set init_std themselves",
        ),
    ],
)
def test_no_two_decide_one_number(tmp_path: Path, values: dict[str, Any], message: str) -> None:
    assert said(tmp_path, **values).startswith(message)


def test_what_is_said_of_some_goes_before_what_is_said_of_all() -> None:
    """A cell's own `set` and a named setting, before the study's `set`."""
    cells = {"a": LEARNED | {"set": {"model.blocks": 2}}}
    axis = {"settings": {"x": {"training.epochs": 7}}}
    made = cells_of(cells=cells, axis=axis, set={"model.blocks": 3, "training.epochs": 5})["network-a-x"]
    assert made.changes == {"model.blocks": 2, "training.epochs": 7}


def test_a_parameter_that_there_is_not_is_told_with_those_that_there_are(tmp_path: Path) -> None:
    message = "network-learned-1: scales.smoke.network.model.layers: unknown key; remove it or correct its "
    message += "spelling; expected one of width, blocks, heads, expansion"
    assert said(tmp_path, axis={"of": "model.layers", "values": [1, 2]}) == message

"""Findings against small made-up tables whose means and intervals are known."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import spearmanr

from stages.parameters import params
from stages.report import TABLES
from stages.reporting.evidence import Evidence, greatest_spearman, read_tables, render
from stages.reporting.numbers import format_number
from stages.reporting.write_findings import APART, read_apart
from stages.reviewing.readme import render_readme

ROOT = Path(__file__).parents[1]
SETTINGS = params.load(ROOT / "params.yaml")


def over_seeds(**values: list[float]) -> pd.DataFrame:
    """A row per encoding and seed."""
    rows = [(name, seed, value) for name, given in values.items() for seed, value in enumerate(given)]
    return pd.DataFrame(rows, columns=["encoding", "seed", "value"])


def evidence(scores: pd.DataFrame, aligned: pd.DataFrame, scale: str = "small") -> Evidence:
    """Made-up tables of the grid alone."""
    alignment = {"task": "grid", "measure": "spearman", "block": "all", "reference": "same_line"}
    partial = pd.DataFrame(columns=["task", "encoding", "seed", "block", "reference", "given", "value"])
    published = ["scheme", "init_std", "split", "condition", "mean"]
    tables = {
        "runs": scores.assign(task="grid", split="validation", metric="accuracy"),
        "alignment": aligned.assign(**alignment, null_mean=0.0),
        "partial": partial.astype({"value": float}),
        "probe": pd.DataFrame({"configuration": ["none"], "agrees": [False]}),
        "fixed_encodings": pd.DataFrame(
            {"kind": ["residual", "wavelength"], "measured": [1e-14, 6.28], "formula": [0.0, 6.28]}
        ),
        "lst_published_accuracy": pd.DataFrame(
            [("learned", 0.2, "validation_original", "all", 0.9556)], columns=published
        ),
    }
    return Evidence(dataclasses.replace(SETTINGS, scale=scale), tables)


CLEAR = evidence(
    over_seeds(learned_s020=[0.89, 0.90, 0.91], learned_s200=[0.29, 0.30, 0.31]),
    over_seeds(learned_s020=[0.49, 0.50, 0.51], learned_s200=[-0.01, 0.0, 0.01]),
)
NOISY = evidence(
    over_seeds(learned_s020=[0.5, 0.9, 0.1], learned_s200=[0.3, 0.31, 0.32]),
    over_seeds(learned_s020=[0.9, -0.5, 0.5], learned_s200=[0.0, 0.0, 0.0]),
)


def test_numbers_in_words() -> None:
    shown = [format_number(value) for value in (0.456, -0.456, -0.001, np.nan)]
    assert shown == ["0.46", "\u22120.46", "0.00", "\u2013"]


def test_the_greatest_spearman_with_a_two_valued_reference() -> None:
    far = np.arange(1000) >= 700
    assert greatest_spearman(0.3) == pytest.approx(spearmanr(np.arange(1000), far).statistic, abs=1e-3)


def test_claims_follow_the_intervals() -> None:
    clear, noisy = render("readme.md.j2", CLEAR), render("readme.md.j2", NOISY)
    assert "| grid: accuracy | 0.90 | 0.30 |" in clear
    assert "- grid: at 0.2." in clear and "- grid: best at 0.2; behind 2. In training: " in clear
    assert (
        "- grid: not shown at 0.2." in noisy
        and "- grid: best at 0.2; not told apart (by at most 1.20) 2. In training: none" in noisy
    )


def test_scores_of_tables_that_fit_alike_stand_below_the_others() -> None:
    rows: dict[str, Any] = {"a": "learned_s020", "b": "learned_s200", "low": 0.1, "high": 0.9}
    rows |= {"difference": 0.5, "p_value": 0.01}
    rows |= {"mean_a": [0.95, 0.99], "mean_b": [0.4, 0.98]}
    of = {"task": "grid", "variation": "same_fit", "split": ["validation", "train"]}
    others = pd.DataFrame(of | rows).assign(variation="usual", mean_a=0.1)
    tables = dict(CLEAR.tables) | {"variations": pd.concat([others, pd.DataFrame(of | rows)])}
    page = render("readme.md.j2", Evidence(SETTINGS, tables))
    row = "| grid: until it fits, at most 8 times as long (training) | 0.95 (0.99) | 0.40 (0.98) |"
    assert row in page and "until it fits" not in render("readme.md.j2", CLEAR)
    assert "σ 0.2 is ahead of 2 under [other settings](reports/variations.md) but: grid 0 of 0." in page


SIGNS = {"grid": {"open": 0, "clear": 1, "one_seed": 0}, "network": {"behind": -1, "ring": 1}}


def test_the_small_table_is_ahead_where_an_interval_leaves_0_out_on_the_side_of_better() -> None:
    """That is above on the grid, below for errors; without an interval nothing is known."""
    rows = [
        ("grid", "usual", "validation", "a", "b", 0.1, 0.3),
        ("grid", "open", "validation", "a", "b", -0.2, 0.4),
        ("grid", "clear", "validation", "a", "b", 0.2, 0.6),
        ("grid", "one_seed", "validation", "a", "b", np.nan, np.nan),
        ("grid", "open", "train", "a", "b", -0.1, 0.5),
        ("grid", "clear", "validation", "a", "c", -0.1, 0.5),
        ("network", "usual", "validation", "a", "b", 0.1, 0.3),
        ("network", "same", "validation", "a", "b", 0.1, 0.3),
        ("network", "behind", "validation", "a", "b", 0.2, 0.3),
        ("network", "ring", "validation", "a", "b", -0.3, -0.1),
        ("network", "placeless", "validation", "a", "b", 0.3, 0.5),
    ]
    rows += [(*row[:2], "tables", *row[3:]) for row in rows if row[1] != "placeless"]
    columns = ["task", "variation", "split", "a", "b", "low", "high"]
    table = pd.DataFrame(rows, columns=columns).assign(p_value=0.01)
    findings = Evidence(SETTINGS, {"variations": table.assign(difference=(table.low + table.high) / 2)})
    signs = {task: {each.about: each.sign for each in findings.judge_variations(task)} for task in SIGNS}
    assert signs == SIGNS


def test_the_published_size_stands_first_with_its_seeds() -> None:
    of: dict[str, Any] = {"split": "validation", "scheme": "learned", "condition": "all", "high": 0.1}
    rows = [
        {"run": "fixed", "scheme": "sinusoidal_nd", "mean": 0.5, "n": 3, "published": 0.977},
        {"run": "fixed", "scheme": "sinusoidal_nd", "mean": 0.98, "n": 3, "split": "train"},
        {"scheme": "sinusoidal_nd", "dropout": 0.1, "mean": 0.97, "n": 5, "published": 0.977},
        {"run": "learned_s200", "init_std": 2.0, "mean": 0.41, "n": 5, "published": 0.377},
        {"run": "learned_s020", "init_std": 0.2, "mean": 0.94, "n": 4, "published": 0.956},
        {"scheme": "none", "mean": 0.3, "n": 3},
    ]
    rows.append(rows[4] | {"condition": "quaternary", "difference": -0.08, "high": -0.04, "published": 0.9})
    ends = {"difference": 0.57, "low": 0.28, "high": 0.86, "n": 3, "family": "order of σ"}
    ends |= {"p_value": 0.25, "p_least": 0.25, "q_value": 0.25, "q_all": 0.25}
    tables = {
        "beside": pd.DataFrame(rows).fillna(of).assign(precision="bf16"),
        "pairs": pd.DataFrame([{"a": "learned_s020", "b": "learned_s200", **ends}]),
        "aligned": pd.DataFrame(
            {"run": "learned_s020", "state": [*3 * ["final"], *3 * ["added"]], "seed": [0, 1, 2] * 2}
            | {"value": [0.1, 0.11, 0.12, -0.2, -0.22, -0.24], "reference": "same_line"}
        ).assign(measure="spearman"),
        "scores": pd.DataFrame({"run": "s", "scheme": "learned", "seed": [0, 0, 1], "epoch": [10, 90, 80]}),
    }
    page = render("readme.md.j2", Evidence(SETTINGS, dict(CLEAR.tables) | tables))
    assert page.index("published size") < page.index("Scale `small`")
    assert "| table | σ 0.2 | σ 2 | sinusoid | sinusoid, dropout |" in page
    assert "| ours (seeds) | 0.94 (4) | 0.41 (5) | 0.50 (3) | 0.97 (5) |" in page
    assert "| published (15), sinusoids with dropout | 0.96 | 0.38 | 0.98 | 0.98 |" in page
    assert "| ours in training |  |  | 0.98 |  |" in page
    assert (
        "published size: at 0.2 (0.11 [0.09, 0.13]); not shown at 2. What training added: not shown at 2; "
        "opposed at 0.2 (−0.22 [−0.27, −0.17])."
    ) in page
    assert (
        "Seed by seed σ 0.2 is ahead of 2 (0.57 [0.28, 0.86]). By flips of signs q ≤ 0.05 in "
        "none of 1 orders of 0.2, 2 (not 0.2–2), in none if all 1 tests count;" in page
    )
    assert "Quaternary puzzles at σ 0.2: 0.08 below published. Learned" in page
    assert "Learned tables took 80 to 90 epochs of 4000" in page


def test_controls_say_at_which_sigmas_alignment_is_ahead() -> None:
    rows = {"aligned": [0.8, 0.81, 0.82], "exchanged": [0.7, 0.71, 0.73], "random": [0.7, 0.9, 0.8]}
    rows["learned"] = [0.8, 1.0, 0.91]
    apart, same = over_seeds(**rows), over_seeds(**(rows | {"exchanged": [0.7, 0.9, 0.8]}))
    controls = pd.concat([apart.assign(init_std=0.1), same.assign(init_std=1.0)]).assign(task="grid")
    tables = dict(CLEAR.tables) | {"controls": controls.rename(columns={"encoding": "table"})}
    transplants = over_seeds(small=[0.8, 0.9, 0.85], small_permuted=[0.4, 0.55, 0.5]).assign(task="grid")
    tables["transplants"] = transplants.rename(columns={"encoding": "transplant"})
    page = render("readme.md.j2", Evidence(SETTINGS, tables))
    assert "[With its rows exchanged](reports/transplants.md) a learned table is behind on grid." in page
    assert "3. **Is alignment the reason?**" in page and "connectivity alone" not in page
    others = {"b": "functional", "split": "validation", "fraction": [0.1, 0.5], "p_value": 0.01}
    behind = pd.DataFrame(others | {"low": [0.01, 0.02], "high": [0.03, 0.04]})
    page = render("readme.md.j2", Evidence(SETTINGS, tables | {"differences": behind}))
    assert "beside tables of connectivity alone: behind at 0.1, 0.5 of regions hidden." in page
    assert "| grid | ahead at 0.1 | not told apart | not told apart | ahead at every σ |" in page
    assert "`make controls` asks that" in render("readme.md.j2", CLEAR)


def test_seeds_that_differ_between_tasks_are_named() -> None:
    rows = over_seeds(focus=[0.5])
    tables = dict(CLEAR.tables) | {
        "runs": pd.concat(
            [CLEAR.tables["runs"], rows.assign(task="network", split="validation", metric="mse")]
        )
    }
    assert "means over 8 seeds, on data" in render("readme.md.j2", Evidence(SETTINGS, tables))
    small = SETTINGS.scales["small"]
    fewer = small | {
        "grid": dataclasses.replace(small["grid"], training=small["grid"].training | {"seeds": 3})
    }
    settings = dataclasses.replace(SETTINGS, scales={"small": fewer})
    assert "means over seeds (grid 3, network 8), on data" in render(
        "readme.md.j2", Evidence(settings, tables)
    )


@pytest.mark.parametrize("scale", ["smoke", "paper"])
def test_few_rows_at_another_scale_are_rendered(scale: str) -> None:
    page = render("findings.md.j2", evidence(over_seeds(focus=[0.5]), over_seeds(focus=[0.1]), scale))
    assert f"Scale `{scale}`" in page and "| grid: accuracy | 0.50 |" in page
    assert "nan" not in page


def test_the_published_accuracy_is_that_of_the_same_sigma() -> None:
    assert CLEAR.published("learned", 0.2) == 0.9556
    assert np.isnan(CLEAR.published("learned", 0.3)) and np.isnan(CLEAR.published("sinusoidal_nd"))


@pytest.mark.parametrize("page", ["findings", *APART])
def test_committed_pages_are_those_of_the_committed_tables(page: str) -> None:
    main = Evidence(SETTINGS, read_tables(ROOT, TABLES))
    tables = read_apart(ROOT, page) if page in APART else main
    assert (ROOT / f"reports/{page}.md").read_text() == render(f"{page}.md.j2", tables)


def test_readme_without_markers_is_refused(tmp_path: Path) -> None:
    for name in ("params.yaml", *map(str, TABLES)):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    (tmp_path / "README.md").write_text("no block")
    with pytest.raises(ValueError, match="findings: begin.*add them"):
        render_readme(tmp_path)

"""The published experiment, small: from puzzles to the page, and its comparison with what was published."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from changed_params import ROOT, write_params, write_yaml
from scipy.spatial.distance import pdist
from scipy.stats import spearmanr, ttest_ind, ttest_ind_from_stats

from stages.files.artifacts import read_arrays, read_csv
from stages.parameters import params
from stages.published import (
    compare,
    describe_puzzles,
    draw,
    gather,
    list_solved,
    make_puzzles,
    redraw,
    score,
    train,
)
from stages.published.settings import FILE, MODELS, at_published_size, load_published, settings_for

RUNS: dict[str, Any] = {
    "most": {
        "learned_s020": {"configuration": {"scheme": "learned", "init_std": 0.2}},
        "learned_s100": {"configuration": {"scheme": "learned", "init_std": 1.0}},
        "sinusoidal_nd": {"configuration": {"scheme": "sinusoidal_nd"}, "training": {"epochs": 3}},
    },
    "few": {
        "sinusoidal_nd_dropout": {"configuration": {"scheme": "sinusoidal_nd", "dropout": 0.1}},
        "learned_s020_fp32": {"configuration": {"scheme": "learned", "init_std": 0.2}, "precision": "fp32"},
    },
}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose published size is small, after the whole experiment."""
    folder = tmp_path_factory.mktemp("published")
    data = {"puzzles_per_complexity": 60, "validation_per_complexity": 6}
    sizes = {"data": data, "model": {"width": 16, "blocks": 1}, "training": {"batch_size": 32}}
    write_params(folder, {"scales.paper.grid": sizes})
    of_all = {"training": {"epochs": 2, "evaluations": 2}, "margin": 0.05}
    write_yaml(folder / FILE, {"published": {"most_seeds": [0, 1], "few_seeds": [0], **of_all, **RUNS}})
    (folder / "data").mkdir()
    (folder / "data/reference").symlink_to(ROOT / "data/reference")
    make_puzzles.main(folder)
    for name, (_, seeds) in load_published(folder).runs.items():
        for seed in seeds:
            train.train(folder, name, seed)
            score.score(folder, name, seed)
            list_solved.list_solved(folder, name, seed)
    for stage in (describe_puzzles, gather, compare, redraw, draw):
        stage.main(folder)
    return folder


def test_a_row_for_each_seed_epoch_split_and_complexity(root: Path) -> None:
    scores = read_csv(root / gather.SCORES)
    assert list(scores.columns) == score.COLUMNS
    assert scores.groupby("run").seed.nunique().to_dict() == {name: 2 for name in RUNS["most"]} | {
        name: 1 for name in RUNS["few"]
    }
    ends = compare.take_last(scores)
    assert (ends.groupby(["run", "seed"]).size() == 12).all()  # three splits, all and each complexity
    assert ends[ends.run == "sinusoidal_nd"].epoch.eq(3).all()
    assert scores[scores.run == "sinusoidal_nd_dropout"].dropout.eq(0.1).all()
    assert scores[scores.split == "train"].loss.between(1, 2).sum() == 2 * 2 * 2 + 2 * 3 + 2 * 2
    known = scores.dropna(subset="accuracy")
    assert not known.duplicated(["run", "seed", "split", "condition", "epoch"]).any()
    assert (known[known.condition == "all"].groupby(["run", "seed", "split"]).size() >= 1).all()


def test_a_seed_is_the_same_whatever_else_is_trained(root: Path) -> None:
    scores = read_csv(root / gather.SCORES)
    train.train(root, "learned_s100", 1)
    score.score(root, "learned_s100", 1)
    gather.main(root)
    pd.testing.assert_frame_equal(read_csv(root / gather.SCORES), scores)


def test_seeds_that_are_not_there_are_named(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scores, path = read_csv(root / gather.SCORES), root / score.SEEDS / "learned_s100-1.csv"
    kept = path.read_bytes()
    path.unlink()
    gather.main(root)
    assert capsys.readouterr().out == "not run yet: learned_s100-1\n"
    rest = scores[(scores.run != "learned_s100") | (scores.seed != 1)].reset_index(drop=True)
    pd.testing.assert_frame_equal(read_csv(root / gather.SCORES), rest)
    path.write_bytes(kept)
    gather.main(root)
    with pytest.raises(ValueError, match="models/learned_s100/9 not found"):
        score.score(root, "learned_s100", 9)


def test_the_page_has_a_verdict_for_each_number_that_was_published(root: Path) -> None:
    html = (root / draw.PAGE).read_text()
    assert "σ 0.2 in fp32" in html and "learned_s020" not in html.split("<script")[0]
    assert "spreads do not overlap" in html
    assert all(
        (root / draw.PAGE).with_name(f"{name}.png").stat().st_size > 10_000
        for name in ("accuracy", "curves", "alignment")
    )


def test_solved_puzzles_add_up_to_the_scores(root: Path) -> None:
    ends = compare.take_last(read_csv(root / gather.SCORES)).query("split == 'validation'")
    scored = ends.set_index(["run", "seed", "condition"]).accuracy.to_dict()
    for path in (root / redraw.SOLVED).iterdir():
        rows = read_csv(path)
        assert rows.turns.eq(3).all() and len(rows) == 6  # two drawn a complexity
        of = rows.groupby("complexity")[["solved", "turns"]].sum()
        for complexity, share in (of.solved / of.turns).items():
            assert scored[rows.run[0], rows.seed[0], complexity] == pytest.approx(share)
        assert scored[rows.run[0], rows.seed[0], "all"] == pytest.approx(of.solved.sum() / of.turns.sum())


def test_alignment_is_that_of_the_table_and_of_what_training_added(root: Path) -> None:
    rows = read_csv(root / gather.ALIGNED).query("measure == 'spearman' and reference == 'grid_distance'")
    learned = rows.run.str.startswith("learned")
    states = rows[learned].groupby(["run", "seed"]).state.agg(list)
    assert len(states) == 5 and (states.map(tuple) == ("initial", "final", "added")).all()
    assert set(rows[~learned].state) == {"initial", "final"}  # fixed tables
    tables = read_arrays(root / MODELS / "learned_s020/1/tables.npz")
    first, last = (np.concatenate(list(tables[state][0]), axis=1) for state in ("initial", "final"))
    cells = np.indices((4, 4)).reshape(2, -1).T
    one = rows.query("run == 'learned_s020' and seed == 1").set_index("state").value
    for state, table in {"initial": first, "final": last, "added": last - first}.items():
        assert one[state] == pytest.approx(spearmanr(pdist(table), pdist(cells)).statistic, abs=1e-9)
    means = read_csv(root / compare.ALIGNED_RUNS).query("reference == 'grid_distance' and state == 'added'")
    of_run = means[means.run == "learned_s020"]
    both = rows.query("run == 'learned_s020' and state == 'added'").value
    assert (of_run.n.item(), of_run["mean"].item()) == (2, pytest.approx(both.mean()))


def over_epochs(values: np.ndarray, epochs: list[int]) -> pd.DataFrame:
    """Rows as in scores.csv of one run's seeds, each with one score."""
    columns: dict[str, Any] = {"run": "learned_s020", "scheme": "learned", "init_std": 0.2, "dropout": None}
    of: dict[str, Any] = {"precision": "bf16", "split": "validation", "condition": "all"}
    rows = pd.DataFrame({"seed": range(len(values)), "accuracy": values, "epoch": epochs})
    return rows.assign(**columns, **of)


def test_our_mean_beside_a_published_one_is_welch_s_test() -> None:
    values, margin = np.array([0.91, 0.94, 0.95, 0.97, 0.96]), 0.05
    scores = over_epochs(values, [9] * 5)
    theirs = {"scheme": "learned", "init_std": 0.2, "split": "validation_original", "condition": "all"}
    published = pd.DataFrame([theirs | {"mean": 0.93, "sd": 0.03, "n_seeds": 15}])
    (row,) = compare.compare_means(scores, published, margin).to_dict("records")
    mean, sd = float(values.mean()), float(values.std(ddof=1))
    below = ttest_ind_from_stats(mean, sd, 5, 0.93 - margin, 0.03, 15, False, "greater").pvalue
    above = ttest_ind_from_stats(mean, sd, 5, 0.93 + margin, 0.03, 15, False, "less").pvalue
    assert row["p_equivalent"] == pytest.approx(max(below, above), rel=1e-9)
    made = np.random.default_rng(0).normal(size=15)  # any fifteen numbers of that mean and spread
    made = 0.93 + 0.03 * (made - made.mean()) / made.std(ddof=1)
    interval = ttest_ind(values, made, equal_var=False).confidence_interval()
    assert (row["low"], row["high"]) == pytest.approx((interval.low, interval.high), rel=1e-9)


def test_seeds_that_are_all_alike_are_no_test() -> None:
    theirs = {"scheme": "learned", "init_std": 0.2, "split": "validation_original", "condition": "all"}
    published = pd.DataFrame([theirs | {"mean": 0.93, "sd": 0.03, "n_seeds": 15}])
    row = compare.compare_means(over_epochs(np.full(3, 0.94), [9] * 3), published, 0.05).iloc[0]
    assert row.difference == pytest.approx(0.01)
    assert row[["low", "high", "p_equivalent"]].isna().all()


@pytest.mark.parametrize(("ended", "then"), [(200, 200), (201, 400)])
def test_seeds_that_ended_are_beside_the_next_published_epoch(ended: int, then: int) -> None:
    values = np.array([0.9, 0.95, 0.97])
    curve = {"epoch": [0, 200, 400], "mean": [0.2, 0.8, 0.9], "sd": 0.03, "median": 0.9, "n_seeds": 15}
    theirs = pd.DataFrame(curve).assign(scheme="learned", init_std=0.2, split="validation")
    (row,) = compare.compare_by_then(over_epochs(values, [90, ended, 90]), theirs).to_dict("records")
    mean = {200: 0.8, 400: 0.9}[then]
    assert (row["epoch"], row["n"], row["published"]) == (then, 3, mean)
    tested = ttest_ind_from_stats(values.mean(), values.std(ddof=1), 3, mean, 0.03, 15, equal_var=False)
    assert row["difference"] == pytest.approx(values.mean() - mean)
    assert (row["low"] > 0) == (tested.pvalue < 0.05)


def test_what_a_run_changes_is_its_own() -> None:
    settings, published = at_published_size(params.load(ROOT / params.FILE)), load_published(ROOT)
    learned, configuration = settings_for(settings, published, "learned_s200")
    assert (learned.training("grid").epochs, learned.training("grid").settled_loss) == (200, 0.001)
    assert configuration.settings == {"init_std": 2.0} and learned.training("grid").precision == "bf16"
    sinusoid, _ = settings_for(settings, published, "sinusoidal_nd_dropout")
    assert (sinusoid.training("grid").epochs, sinusoid.training("grid").settled_loss) == (400, None)
    assert learned.model("grid").width == 160 and settings.training("grid").seeds == 15


def test_a_run_that_is_not_there_is_named() -> None:
    settings = at_published_size(params.load(ROOT / params.FILE))
    with pytest.raises(ValueError, match="run 'learned_s300' is not known; expected one of learned_s020"):
        settings_for(settings, load_published(ROOT), "learned_s300")

"""What the tables of the published experiment say, in sentences."""

from itertools import compress

import numpy as np
import pandas as pd
from scipy.stats import PermutationMethod, pearsonr, rankdata

from stages.published import figure
from stages.published.compare import take_last

LEVEL = 0.05
DRAWS_APART = 2  # standard deviations
FITTED = 0.001  # nats; training ends once its loss has stayed below
ENOUGH = 5  # seeds for a rank correlation
PAIRINGS = 9999  # for its p; all of them up to seven seeds
SEED = ["run", "seed"]


def judge(row: pd.Series) -> str:
    """What a row of beside.csv says of ours and theirs."""
    if pd.isna(row.published):
        return "no published number here"
    if row.n < 2:
        return "one seed, not tested"
    if pd.isna(row.p_equivalent):
        return "no spread to test by"
    same, different = row.p_equivalent <= LEVEL, row.low > 0 or row.high < 0
    names = [name for name, holds in (("same", same), ("different", different)) if holds]
    verdict = ", yet ".join(names) or "undecided"
    overlap = abs(row.difference) <= row.sd + row.published_sd
    return f"{verdict}; spreads {'overlap' if overlap else 'do not overlap'}"


def describe_agreement(beside: pd.DataFrame) -> list[str]:
    """One sentence a complexity of validation puzzles: how far ours are from theirs, which are the same."""
    tested = beside[(beside.split == "validation") & beside.published.notna() & (beside.n > 1)]
    sentences = []
    for condition, rows in tested.groupby("condition", sort=False):
        names = pd.Series([figure.name_row(row) for row in rows.to_dict("records")])
        verdicts = [verdict.partition(";")[0] for verdict in rows.verdict]
        for at, row in enumerate(rows.itertuples()):
            if "different" in verdicts[at]:
                names[at] += f" ({row.difference:+.3f} [{row.low:.3f}, {row.high:.3f}])"
        groups = "; ".join(f"{verdict}: {', '.join(of)}" for verdict, of in names.groupby(verdicts))
        gaps = f"from {rows.difference.min():+.3f} to {rows.difference.max():+.3f}"
        sentences.append(f"Ours minus published, {condition} validation puzzles, {gaps}; {groups}.")
    return sentences


def describe_ends(scores: pd.DataFrame) -> list[str]:
    """How many seeds were fitted when training ended; whether those that took longer solve fewer puzzles.

    scores: as reports/published/scores.csv. Fitted: the training loss of the last epoch is below FITTED.
    """
    of_train = scores[(scores.split == "train") & scores.loss.notna()]
    ends = of_train.sort_values("epoch").drop_duplicates(SEED, keep="last").set_index(SEED)
    validation = take_last(scores).query("split == 'validation' and condition == 'all'")
    ends["solved"] = validation.set_index(SEED).accuracy
    fitted = ends.loss < FITTED
    late, correlations = [], []
    for _, rows in ends.groupby("run", sort=False):
        name, done = figure.name_row(rows.iloc[0].to_dict()), rows[fitted[rows.index]]
        if len(done) < len(rows):
            late.append(f"{name} {len(rows) - len(done)} of {len(rows)}")
        if len(done) >= ENOUGH:
            pairings = PermutationMethod(n_resamples=PAIRINGS, rng=np.random.default_rng(0))
            rank = pearsonr(rankdata(done.epoch), rankdata(done.solved), method=pairings)
            correlations.append(f"{name} {rank.statistic:.2f} ({len(done)} seeds, p = {rank.pvalue:.2g})")
    said = [f"Seeds whose training loss is not below {FITTED} at the end: {', '.join(late) or 'none'}."]
    if correlations:
        said.append(
            "Rank correlation over fitted seeds, between epochs it took and validation puzzles solved "
            f"(looked at afterwards, p not adjusted): {', '.join(correlations)}."
        )
    return said


def describe_by_then(by_then: pd.DataFrame) -> str:
    """How far ours are from theirs at equal epochs, run by run, and where the interval leaves 0 out."""
    rows = by_then[by_then.split == "validation"]
    gaps = ", ".join(f"{figure.name_row(row)} {row['difference']:+.3f}" for row in rows.to_dict("records"))
    apart = ", ".join(
        f"{figure.name_row(row)} in {row['split']} {row['difference']:+.3f} "
        f"[{row['low']:.3f}, {row['high']:.3f}]"
        for row in by_then[(by_then.low > 0) | (by_then.high < 0)].to_dict("records")
    )
    return (
        "Beside their curves at the epoch by which ours had ended, instead of 4000, all validation puzzles: "
        f"{gaps}. Of all three splits, those whose interval leaves 0 out: {apart or 'none'}. Published "
        "sinusoids had dropout."
    )


def describe_alignment(aligned_runs: pd.DataFrame) -> list[str]:
    """Of the trained table, and of what training added: where it is aligned or opposed, by interval."""
    rows = aligned_runs[(aligned_runs.reference == "same_line") & (aligned_runs.n > 1)]
    sentences = []
    added = set(rows.run[rows.state == "added"])  # fixed tables are as they were drawn
    for state, what in (("final", "Trained tables are"), ("added", "What training added to them is")):
        of = rows[(rows.state == state) & rows.run.isin(added)]
        with_interval = [
            f"{row['run']} ({row['mean']:.2f} [{row['low']:.2f}, {row['high']:.2f}])"
            for row in of.to_dict("records")
        ]
        above, below = of.low > 0, of.high < 0
        groups = {
            "at": ", ".join(compress(with_interval, above)) or "none",
            "opposed at": ", ".join(compress(with_interval, below)),
            "not shown at": ", ".join(of.run[~above & ~below]),
        }
        said = "; ".join(f"{word} {runs}" for word, runs in groups.items() if runs)
        sentences.append(f"{what} aligned with same row or column {said}.")
    return sentences


def describe_draws(redraw: pd.DataFrame) -> str:
    """How far another draw of validation puzzles may move a mean, and which differences that could not be."""
    parts = []
    for condition in ("all", "quaternary"):
        ends = redraw[redraw.condition == condition].sort_values("draw_sd").iloc[[0, -1]]
        named = [f"{row['draw_sd']:.3f} ({row['run']})" for row in ends.to_dict("records")]
        parts.append(f"{condition} {' to '.join(named)}")
    known = redraw.dropna(subset="in_sds")
    beyond = known[known.in_sds.abs() > DRAWS_APART].to_dict("records")
    names = [
        f"{row['run']}, {row['condition']} ({row['in_sds']:+.1f}, "
        f"by {row['seeds']:.0f} of {row['n']:.0f} seeds)"
        for row in beyond
    ]
    return (
        "Another draw of validation puzzles alone spreads a mean by a standard deviation of "
        f"{'; '.join(parts)}. Of {len(known)} differences from the published, more than {DRAWS_APART} such "
        f"spreads of two draws: {', '.join(names) or 'none'}."
    )


def describe_order(pairs: pd.DataFrame) -> list[str]:
    """One sentence a pair: which is better by the interval."""
    words = {1: "is better than", -1: "is worse than", 0: "is not told apart from"}
    sentences = []
    for row in pairs.to_dict("records"):
        a, b, gap, low, high, n = (row[name] for name in ("a", "b", "difference", "low", "high", "n"))
        word = words[int(low > 0) - int(high < 0)]
        if n < 2:
            sentences.append(f"{a} minus {b}: {gap:+.3f}, one seed, not tested.")
        else:
            q, q_all, least = row["q_value"], row["q_all"], row["p_least"]
            sentences.append(
                f"{a} {word} {b}: {gap:+.3f}, 95 % interval {low:.3f} to {high:.3f}, {n} seeds; by flips of "
                f"signs q = {q:.3f}, {q_all:.3f} of all tests, and so many seeds cannot give p below "
                f"{least:.3f}."
            )
    return sentences

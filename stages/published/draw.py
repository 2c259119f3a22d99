"""The page of the published experiment, ours beside theirs: reports/published/page.html and its figures."""

from pathlib import Path

import pandas as pd

from stages.figures import style
from stages.files import artifacts
from stages.published import figure
from stages.published.compare import take_last
from stages.published.settings import load_published
from stages.reporting.page import page
from stages.reporting.parts import Column, Figure, Section, Table
from stages.running.command import run

CURVES = Path("data/reference/lst_published_curves.csv")
FOLDER = Path("reports/published")
PAGE = FOLDER / "page.html"
TABLES = ("scores", "aligned", "beside", "by_then", "pairs", "aligned_runs", "puzzles")
TITLE = "The published experiment at its published size"
SUBTITLE = (
    "Latin-square puzzles, all drawn anew, those for validation too, to be as the published ones in "
    "complexity, givens and distance; width 160, four blocks, learning rate 0.0001, batches of 128. The "
    "sinusoid was published with dropout of .1; the distances of mds are those of same row or column. This "
    "is a second draw of puzzles: on the first the sinusoid came to .66 and .71, and puzzles were then made "
    "more like the published ones. How well ours agree is not independent of that."
)
MEANS = [
    *(Column("scheme", "table"), Column("init_std", "σ", 1), Column("dropout", "dropout", 1)),
    *(Column("precision", "precision"), Column("split", "puzzles"), Column("condition", "complexity")),
    *(Column("n", "n", 0), Column("mean", "mean", 3), Column("sd", "sd", 3), Column("median", "median", 3)),
    *(Column("published", "published", 3), Column("published_sd", "sd", 3)),
    *(Column("difference", "difference", 3), Column("low", "95 % interval", 3, high="high")),
    *(Column("p_equivalent", "p of equivalence", 3), Column("verdict", "verdict")),
]
BY_THEN = [
    *(Column("scheme", "table"), Column("init_std", "σ", 1), Column("dropout", "dropout", 1)),
    *(Column("precision", "precision"), Column("split", "puzzles"), Column("epoch", "published epoch", 0)),
    *(Column("n", "n", 0), Column("mean", "mean", 3), Column("sd", "sd", 3)),
    *(Column("published_n", "published n", 0), Column("published", "published", 3)),
    Column("published_sd", "sd", 3),
    *(Column("difference", "difference", 3), Column("low", "95 % interval", 3, high="high")),
]
DIFFERENCES = [
    *(Column("a", "a"), Column("b", "minus b"), Column("n", "n", 0)),
    *(Column("difference", "difference", 3), Column("low", "95 % interval", 3, high="high")),
    *(Column("p_value", "p", 3), Column("p_least", "least p", 3), Column("q_value", "q", 3)),
]
ALIGNMENTS = [
    *(Column("run", "run"), Column("state", "table"), Column("reference", "true distance")),
    *(Column("n", "n", 0), Column("mean", "alignment", 2), Column("low", "95 % interval", 2, high="high")),
]
PUZZLES = [
    *(Column("set", "published set"), Column("complexity", "complexity"), Column("n", "puzzles", 0)),
    *(Column("givens_alike", "givens alike", 3), Column("givens_mean", "givens, mean", 2)),
    *(Column("published_givens_mean", "published", 2), Column("last_cell", "target last", 3)),
    *(Column("least_distance", "least distance", 3), Column("median_distance", "median", 3)),
    Column("refused", "refused", 0),
]
OF_MEANS = (
    "Accuracies after training, mean, standard deviation and median over n seeds, beside the published ones "
    "(15 seeds, 4000 epochs). Interval: Welch's, of the difference ours − published. p of equivalence: the "
    "larger of two one-sided tests that the difference is below {margin}. Verdict: same (p ≤ .05), different "
    "(the interval leaves out 0), both, or undecided; spreads overlap where the means are no farther apart "
    "than their standard deviations together. Verdicts are not corrected for their number."
)
OF_BY_THEN = (
    "The same for all puzzles of a split, beside the published accuracies at the first epoch of their "
    "curves by which all our seeds had ended, 200 or 400, instead of 4000. Published test and training "
    "accuracies are means over batches, the latter while training goes on; ours are shares of puzzles."
)
OF_PAIRS = (
    "Differences in validation accuracy between runs on the same seeds, with 95 % Student t intervals; p: "
    "flips of signs; least p: the smallest that so many seeds can have; q: false discovery rate."
)
OF_ALIGNMENT = (
    "Spearman correlation between distances of a table's rows, all blocks side by side, and true distances "
    "of cells, means over seeds with Student t intervals; about 0 where rows are shuffled. Initial: as "
    "drawn, with the same numbers at every σ of a seed; final: as trained; added: of the table (final \u2212 "
    "initial), which is no difference of alignments. Ours are read after 80 to 200 epochs and say nothing of "
    "tables trained for 4000. The measure is this project's: no published value stands beside it."
)
OF_PUZZLES = (
    "Our puzzles. Givens alike: share of them whose number of givens a published one has too, one to one. "
    "Target last: share whose target is the last cell, from which the answer is read; published .01 to .03 "
    "of generated and .08 to .14 of validation puzzles. Distance: Jaccard's to the nearest validation "
    "puzzle, published .8125 at least and .818 in the median. Refused: puzzles that one step does not decide."
)
LEVEL = 0.05


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


def describe_by_then(by_then: pd.DataFrame) -> str:
    """How far ours are from theirs at equal epochs, run by run."""
    rows = by_then[by_then.split == "validation"]
    gaps = ", ".join(f"{figure.name_row(row)} {row['difference']:+.3f}" for row in rows.to_dict("records"))
    return (
        "Beside their curves at the epoch by which ours had ended, instead of 4000, all validation puzzles: "
        f"{gaps}. Published sinusoids had dropout."
    )


def describe_alignment(aligned_runs: pd.DataFrame) -> list[str]:
    """Of the trained table, and of what training added: with which runs it is aligned, by the interval."""
    rows = aligned_runs[(aligned_runs.reference == "same_line") & (aligned_runs.n > 1)]
    sentences = []
    added = set(rows.run[rows.state == "added"])  # fixed tables are as they were drawn
    for state, what in (("final", "Trained tables are"), ("added", "What training added to them is")):
        of = rows[(rows.state == state) & rows.run.isin(added)]
        shown = [
            f"{row['run']} ({row['mean']:.2f} [{row['low']:.2f}, {row['high']:.2f}])"
            for row in of[of.low > 0].to_dict("records")
        ]
        rest = ", ".join(of.run[of.low <= 0])
        ending = f"; not shown at {rest}." if rest else "."
        sentences.append(f"{what} aligned with same row or column at {', '.join(shown) or 'none'}{ending}")
    return sentences


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
            q, least = row["q_value"], row["p_least"]
            sentences.append(
                f"{a} {word} {b}: {gap:+.3f}, 95 % interval {low:.3f} to {high:.3f}, {n} seeds; by flips of "
                f"signs q = {q:.3f}, and so many seeds cannot give p below {least:.3f}."
            )
    return sentences


def main(root: Path = Path()) -> None:
    scores, aligned, beside, by_then, pairs, aligned_runs, puzzles = (
        artifacts.read_csv(root / FOLDER / f"{name}.csv") for name in TABLES
    )
    curves = artifacts.read_csv(root / CURVES)
    beside = beside.sort_values("init_std", kind="stable")
    beside["verdict"] = [judge(row) for _, row in beside.iterrows()]
    names = {row["run"]: figure.name_row(row) for row in beside.to_dict("records")}
    pairs = pairs.assign(a=pairs.a.map(names), b=pairs.b.map(names))
    aligned_runs = aligned_runs.assign(run=aligned_runs.run.map(names))
    with style.house():
        style.write(figure.draw_scores(take_last(scores), beside), root / FOLDER / "accuracy")
        style.write(figure.draw_curves(scores, curves), root / FOLDER / "curves")
        style.write(figure.draw_alignment(aligned, beside), root / FOLDER / "alignment")
    validation = beside[(beside.split == "validation") & (beside.condition == "all")]
    margin = load_published(root).margin
    section = Section(
        key="published",
        title="Ours beside theirs",
        question="Does the published result come out again?",
        points=[
            *(*describe_agreement(beside), describe_by_then(by_then)),
            *(*describe_order(pairs), *describe_alignment(aligned_runs)),
        ],
        figures=[
            Figure("accuracy", "accuracy.png", "Accuracy of each seed beside the published.", ["scores.csv"]),
            Figure("curves", "curves.png", "Validation and test accuracy over epochs.", ["scores.csv"]),
            Figure(
                "alignment",
                "alignment.png",
                "Trained tables, and what training added to them, beside true distances.",
                ["aligned.csv"],
            ),
        ],
        tables=[
            Table("validation", OF_MEANS.format(margin=margin), validation, MEANS),
            Table("by_then", OF_BY_THEN, by_then, BY_THEN),
            Table("differences", OF_PAIRS, pairs, DIFFERENCES),
            Table("alignment", OF_ALIGNMENT, aligned_runs, ALIGNMENTS),
            Table("puzzles", OF_PUZZLES, puzzles, PUZZLES),
            Table("all", "The same of every split and complexity.", beside, MEANS, folded=True),
        ],
    )
    artifacts.write_bytes(root / PAGE, page(TITLE, SUBTITLE, [section]).encode())


if __name__ == "__main__":
    run(main)

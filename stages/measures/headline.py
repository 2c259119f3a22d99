"""The few numbers of one configuration that stand for a task."""

import pandas as pd

Numbers = dict[str, float]


def score(scores: pd.DataFrame, encoding: str, name: str) -> Numbers:
    """`name`: the mean over seeds, and where there is a Gaussian floor its ratio to it.

    scores: rows of runs.csv that hold the task's score; no numbers if the encoding is not among them.
    """
    means = scores.groupby("encoding")["value"].mean().to_dict()
    if encoding not in means:
        return {}
    numbers = {name: means[encoding]}
    if "floor_gaussian" in means:
        numbers["mse_over_gaussian_floor"] = means[encoding] / means["floor_gaussian"]
    return rounded(numbers)


def alignment(aligned: pd.DataFrame, encoding: str, reference: str) -> Numbers:
    """`alignment_<reference>`: Spearman, blocks side by side, mean over seeds; nothing without such rows.

    aligned: the task's rows of alignment.csv.
    """
    chosen = aligned[
        (aligned.encoding == encoding)
        & (aligned.block == "all")
        & (aligned.measure == "spearman")
        & (aligned.reference == reference)
    ]
    values = chosen.value.dropna()
    return rounded({f"alignment_{reference}": values.mean()}) if len(values) else {}


def rounded(numbers: Numbers) -> Numbers:
    """To six decimals, so that a last bit changes no line in version control."""
    return {name: round(float(number), 6) for name, number in numbers.items()}

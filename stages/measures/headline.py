"""The few numbers of one configuration that stand for a task."""

from collections.abc import Sequence

import pandas as pd

Numbers = dict[str, float]

# split and metric that stand for a task, and the first of these references that its positions have
OF_TASK = {
    "grid": ("validation", "accuracy", ["sinusoid_2d"]),
    "network": ("validation", "mse", ["communities", "graph_distance"]),
    "recordings": ("validation", "mse", ["functional"]),
    "probe": ("train", "accuracy", ["index_distance"]),
    "identification": ("test", "accuracy", ["index_distance"]),
    "even_tokens": ("test", "accuracy", ["index_distance"]),
}


def score(runs: pd.DataFrame, encoding: str, split: str, metric: str) -> Numbers:
    """`<split>_<metric>`, mean over seeds, and where there is a Gaussian floor its ratio to it.

    runs: the task's rows of runs.csv; no numbers if the encoding is not among them.
    """
    chosen = runs[(runs.split == split) & (runs.metric == metric)]
    mean = chosen.groupby("encoding")["value"].mean().to_dict()
    if encoding not in mean:
        return {}
    numbers = {f"{split}_{metric}": mean[encoding]}
    if "floor_gaussian" in mean:
        numbers["mse_over_gaussian_floor"] = mean[encoding] / mean["floor_gaussian"]
    return rounded(numbers)


def alignment(aligned: pd.DataFrame, encoding: str, references: Sequence[str]) -> Numbers:
    """`alignment_<reference>` of the first of `references` there is: Spearman, all blocks, mean over seeds.

    aligned: the task's rows of alignment.csv.
    """
    chosen = aligned[
        (aligned.encoding == encoding) & (aligned.block == "all") & (aligned.measure == "spearman")
    ]
    mean = chosen.groupby("reference")["value"].mean().dropna().to_dict()
    first = [reference for reference in references if reference in mean][:1]
    return rounded({f"alignment_{reference}": mean[reference] for reference in first})


def rounded(numbers: Numbers) -> Numbers:
    """To six decimals, so that a last bit changes no line in version control."""
    return {name: round(float(number), 6) for name, number in numbers.items()}

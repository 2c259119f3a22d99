"""Everything the report is made from, read beforehand; and how its configurations are called."""

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from stages.figures.sigma_axis import Sigmas
from stages.files.artifacts import Arrays
from stages.parameters.params import Params


@dataclass(frozen=True)
class Inputs:
    settings: Params
    sigmas: Sigmas  # of the learned tables
    tables: Mapping[str, pd.DataFrame]  # name of a CSV file without its suffix -> its rows
    similarity: Arrays  # data/analysis/similarity.npz
    figures: Mapping[str, str]  # name -> data URI
    sha256: Mapping[str, str]  # path of a file or folder -> its hash
    versions: Mapping[str, str]  # package -> version


@dataclass(frozen=True)
class Score:
    """The score that stands for a task."""

    split: str
    metric: str
    unit: str
    higher_is_better: bool

    def of(self, table: pd.DataFrame, task: str) -> pd.DataFrame:
        """The task's rows of runs.csv or intervals.csv that hold this score."""
        return table[(table.task == task) & (table.split == self.split) & (table.metric == self.metric)]


MASKED = "mean squared error on masked tokens, in variances of a token"
SCORES = {
    "grid": Score("validation", "accuracy", "share of validation puzzles solved", True),
    "network": Score("validation", "mse", MASKED, False),
    "recordings": Score("validation", "mse", MASKED, False),
    "identification": Score("test", "accuracy", "share of test tokens labelled right", True),
    "even_tokens": Score("test", "accuracy", "share of test tokens labelled right", True),
}


def called(inputs: Inputs, task: str, encoding: str) -> str:
    """A configuration's name, and its sigma if it is a plain learned table."""
    sigma = inputs.sigmas.get(task, {}).get(encoding)
    return encoding if sigma is None else f"{encoding} (\u03c3 = {sigma:g})"

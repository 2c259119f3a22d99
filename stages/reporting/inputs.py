"""Everything the report is made from, read beforehand."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import pandas as pd

from stages.figures.sigma_axis import Sigmas
from stages.files.artifacts import Arrays
from stages.parameters.params import Params
from stages.tasks.facts import TaskFacts, find_facts


@dataclass(frozen=True)
class Inputs:
    settings: Params
    sigmas: Sigmas  # of the learned tables
    tables: Mapping[str, pd.DataFrame]  # name of a CSV file without its suffix -> its rows
    similarity: Arrays = field(default_factory=dict)  # data/analysis/similarity.npz
    layouts: Arrays = field(default_factory=dict)  # data/analysis/layouts.npz
    sha256: Mapping[str, str] = field(default_factory=dict)  # path of a file or folder -> its hash
    versions: Mapping[str, str] = field(default_factory=dict)  # package -> version

    def tasks(self) -> list[TaskFacts]:
        """In the order of params.yaml."""
        return [find_facts(task) for task in self.settings.tasks]

    def spatial(self) -> list[TaskFacts]:
        """The tasks whose tokens do not stand in a row."""
        return [facts for facts in self.tasks() if not facts.in_line]

    def label(self, task: str, encoding: str) -> str:
        """A configuration's name, and its sigma if it is a plain learned table."""
        sigma = self.sigmas.get(task, {}).get(encoding)
        return encoding if sigma is None else f"{encoding} (\u03c3 = {sigma:g})"

    def labels(self, rows: pd.DataFrame, column: str = "encoding") -> list[str]:
        """The label of each row's configuration, rows with their task."""
        return [self.label(task, name) for task, name in zip(rows.task, rows[column], strict=True)]

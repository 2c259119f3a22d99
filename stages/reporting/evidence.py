"""What the templates of findings ask of the tables: scores and alignments, and what they say of each σ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path

import numpy as np
import pandas as pd

from stages.files.artifacts import read_csv, require
from stages.measures import statistics
from stages.parameters.params import Params
from stages.parameters.sigmas import learned_sigmas
from stages.reporting.numbers import format_number
from stages.reporting.templates import load_templates
from stages.reporting.verdicts import Estimate, Verdict, count_told_apart, list_verdicts, select, subtract
from stages.tasks.facts import find_facts

TEXT_BLOCKS = ("alignment", "geometry", "communities", "partial")  # tables with a block `all`


def read_tables(root: Path, tables: Mapping[Path, str]) -> dict[str, pd.DataFrame]:
    """By name of the file; tables: path -> the module that makes it."""
    return {
        path.stem: read_csv(
            require(root / path, made_by), **{"block": str} if path.stem in TEXT_BLOCKS else {}
        )
        for path, made_by in tables.items()
    }


@dataclass(frozen=True)
class Evidence:
    settings: Params
    tables: Mapping[str, pd.DataFrame]  # by the CSV file's name without its suffix

    def spatial_tasks(self) -> list[str]:
        """Scored tasks whose positions are not a line."""
        scored = set(self.tables["runs"].task)
        return [task for task in self.settings.tasks if task in scored and not find_facts(task).in_line]

    def sigmas(self, task: str) -> dict[str, float]:
        """Trained learned tables and their sigma, the smallest first."""
        sigmas = sorted(learned_sigmas(self.settings, task).items(), key=lambda item: item[1])
        return {name: sigma for name, sigma in sigmas if name in self.encodings(task)}

    def scores(self, task: str, split: str = "") -> pd.DataFrame:
        """The task's score per encoding and seed, in the split that judges it or another."""
        score = find_facts(task).score
        return replace(score, split=split or score.split).rows(self.tables["runs"], task)

    def encodings(self, task: str) -> list[str]:
        """Those with scores, floors left out."""
        return [name for name in self.scores(task).encoding.unique() if not name.startswith("floor_")]

    def rank(self, task: str, encodings: Sequence[str], split: str = "") -> list[str]:
        """Encodings from the best mean score to the worst."""
        rows = self.scores(task, split)
        rows = rows[rows.encoding.isin(list(encodings))]
        return [*rows.groupby("encoding").value.mean().sort_values(ascending=self.better(task) < 0).index]

    def fitted_alike(self, task: str) -> pd.DataFrame:
        """Mean score and the same in `train` by encoding, each trained until it fits; no rows if none was.

        That is the variation same_fit; columns are the two splits.
        """
        score, columns = find_facts(task).score, ["split", "encoding", "mean"]
        rows = self.tables.get("variations", pd.DataFrame(columns=["task", "variation", "split", *"ab"]))
        rows = rows[(rows.task == task) & (rows.variation == "same_fit")]
        rows = rows[rows.split.isin([score.split, "train"])]
        sides = [
            rows.reindex(columns=["split", side, f"mean_{side}"]).set_axis(columns, axis=1) for side in "ab"
        ]
        means: pd.DataFrame = pd.concat(sides).drop_duplicates(columns[:2])
        return means.pivot(index="encoding", columns="split", values="mean")

    def not_ahead(self, task: str) -> tuple[list[str], int]:
        """Variations under which the first comparison's small table is not ahead of the large, of how many.

        Those that repeat the usual settings, or have no true positions to be aligned with, do not count.
        """
        score, rows = find_facts(task).score, self.tables["variations"]
        rows = rows[rows.task == task]
        placed = rows.variation[rows.split == "tables"]
        rows = rows[(rows.split == score.split) & (rows.a == rows.a.iloc[0]) & (rows.b == rows.b.iloc[0])]
        usual = rows[rows.variation == "usual"].difference
        rows = rows[rows.variation.isin(placed) & ~rows.difference.isin(usual)]
        behind_or_open = rows.low <= 0 if score.higher_is_better else rows.high >= 0
        return list(rows.variation[behind_or_open]), len(rows)

    def measured(self, task: str, measure: str, block: str = "all") -> pd.DataFrame:
        """The task's rows of alignment.csv that hold a measure."""
        rows = self.tables["alignment"]
        return rows[(rows.task == task) & (rows.measure == measure) & (rows.block == block)]

    def reference(self, task: str) -> str:
        """True distances by which the task's alignment is judged; "" without any."""
        return find_facts(task).judging_reference(set(self.measured(task, "spearman").reference))

    def alignments(self, task: str) -> pd.DataFrame:
        """Spearman alignment with that reference, per encoding and seed."""
        rows = self.measured(task, "spearman")
        return rows[rows.reference == self.reference(task)]

    def judge_alignment(self, task: str) -> list[Verdict]:
        """Each sigma but the largest: 1 where it is aligned above 0 and above the largest, else 0 or -1."""
        *smaller, largest = sigmas = self.sigmas(task)
        rows = self.alignments(task)
        verdicts = []
        for name in smaller:
            both = select(rows, name), subtract(rows, name, largest)
            sign, p_value = min(each.sign for each in both), max(each.p_value for each in both)
            verdicts.append(Verdict(f"{sigmas[name]:g}", sign, p_value))
        return verdicts

    def judge_scores(self, task: str, split: str = "") -> tuple[str, list[Verdict]]:
        """The configuration of the sigma with the best mean, and every other sigma beside it on `split`."""
        sigmas, scores = self.sigmas(task), self.scores(task, split)
        best = self.rank(task, list(sigmas))[0]
        return best, [
            self.judge(task, f"{sigma:g}", subtract(scores, name, best))
            for name, sigma in sigmas.items()
            if name != best
        ]

    def judge_controls(self, task: str, a: str, b: str) -> list[Verdict]:
        """Each sigma of controls.csv: 1 where tables a are better than tables b, else 0 or -1."""
        rows = self.tables["controls"].rename(columns={"table": "encoding"})
        return [
            self.judge(task, f"{sigma:g}", subtract(of_sigma, a, b))
            for sigma, of_sigma in rows[rows.task == task].groupby("init_std")
        ]

    def judge(self, task: str, about: str, gap: Estimate) -> Verdict:
        """What a difference of the task's scores says."""
        return Verdict(about, self.better(task) * gap.sign, gap.p_value, gap.reach)

    def judge_rivals(self, task: str) -> list[tuple[str, Estimate, Estimate]]:
        """For each sigma the partial correlations with the task's two rivals, each beyond the other."""
        first, second = find_facts(task).rivals
        rows = self.tables["partial"]
        rows = rows[(rows.task == task) & (rows.block == "all")]
        beyond = [
            rows[(rows.reference == held) & (rows.given == given)]
            for held, given in ((first, second), (second, first))
        ]
        return [
            (f"{sigma:g}", select(beyond[0], name), select(beyond[1], name))
            for name, sigma in self.sigmas(task).items()
        ]

    def better(self, task: str) -> int:
        """1 if more of the task's score is better, else -1."""
        return 1 if find_facts(task).score.higher_is_better else -1

    def digits(self, task: str) -> int:
        """Digits that are written: 2 of shares, 3 of errors."""
        return 2 if find_facts(task).score.higher_is_better else 3

    def published(self, scheme: str, init_std: float = np.nan) -> float:
        """Validation accuracy in the published table (Ito et al.); NaN where it has none."""
        rows = self.tables["lst_published_accuracy"].query("split == 'validation_original'")
        rows = rows[(rows.scheme == scheme) & (rows.condition == "all")]
        same = rows.init_std.isna() if np.isnan(init_std) else np.isclose(rows.init_std, init_std)
        return statistics.mean(rows[same]["mean"].to_numpy(np.float64))


def greatest_spearman(share: float) -> float:
    """Largest Spearman correlation of untied distances with two-valued ones, a share of which are far."""
    return sqrt(3 * share * (1 - share))


def render(template: str, findings: Evidence) -> str:
    """Markdown of a template of this folder."""
    environment = load_templates(autoescape=False)
    environment.globals |= {helper.__name__: helper for helper in HELPERS}
    return environment.get_template(template).render(findings=findings, settings=findings.settings)


HELPERS = (
    *(select, subtract, Verdict, list_verdicts, count_told_apart, greatest_spearman),
    *(format_number, statistics.least_p, find_facts),
)

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

    def judge_variations(self, task: str) -> list[Verdict]:
        """Each variation: 1 where the first comparison's small table is ahead of the large, else 0 or -1.

        Those that repeat the usual settings, or have no true positions to be aligned with, do not count.
        """
        score, rows = find_facts(task).score, self.tables["variations"]
        rows = rows[rows.task == task]
        placed = rows.variation[rows.split == "tables"]
        rows = rows[(rows.split == score.split) & (rows.a == rows.a.iloc[0]) & (rows.b == rows.b.iloc[0])]
        usual = rows[rows.variation == "usual"].difference
        rows = rows[rows.variation.isin(placed) & ~rows.difference.isin(usual)]
        signs = self.better(task) * ((rows.low > 0).astype(int) - (rows.high < 0))
        return [Verdict(*each) for each in zip(rows.variation, signs, rows.p_value, strict=True)]

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

    def published_runs(self) -> pd.DataFrame:
        """Rows of beside.csv on validation puzzles with a published number, by σ, sinusoids last.

        Of two precisions that with more seeds.
        """
        rows = self.tables["beside"].query(
            "split == 'validation' and condition == 'all' and published.notna()"
        )
        rows = rows.sort_values("n").drop_duplicates(["scheme", "init_std", "dropout"], keep="last")
        return rows.sort_index().sort_values("init_std", kind="stable")

    def judge_published_alignment(self, state: str) -> list[Verdict]:
        """Each σ of those runs: 1 where its tables are aligned with same row or column above 0, else 0 or -1.

        state: `final` for tables as trained, `added` for what training added to them.
        """
        rows = self.tables["aligned"].query("state == @state and reference == 'same_line'")
        rows = rows[rows.measure == "spearman"].rename(columns={"run": "encoding"})
        learned = self.published_runs().query("scheme == 'learned'")
        aligned = {f"{row['init_std']:g}": select(rows, row["run"]) for row in learned.to_dict("records")}
        return [
            Verdict(f"{sigma} ({of.interval})" if of.sign else sigma, of.sign, of.p_value)
            for sigma, of in aligned.items()
        ]

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

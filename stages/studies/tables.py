"""The tables of a study: scores, differences and verdicts, and how they are read."""

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from stages.core.settings.errors import InputError
from stages.files import artifacts
from stages.studies.cells import FOLDER
from stages.tasks.facts import Score, find_facts

REPORTS = Path("reports/studies")  # a folder for each study
SCORES = ["task", "cell", "at", "seed", "split", "metric", "value"]
COLUMNS = {
    "scores": SCORES,
    "differences": [
        *("compare", "task", "metric", "a", "a_at", "b", "b_at", "n", "mean_a", "mean_b", "difference"),
        *("low", "high", "p", "q"),
    ],
    "verdicts": [
        *("claim", "says", "main", "source", "stated", "verdict", "test", "task", "metric", "a", "a_at", "b"),
        *("b_at", "expect", "outcome", "n", "mean_a", "mean_b", "difference", "low", "high", "p", "q"),
    ],
}
NUMBERS = ("seed", "value", "test", "n", "mean_a", "mean_b", "difference", "low", "high", "p", "q")
GAIN = "alignment_gain"  # of the split tables; made from two others
FLOOR = "floor_"  # before the name of what is predicted without a model
OF_TABLES = Score("tables", "position_error", "% of the range", higher_is_better=False)  # of fetched ones
TEXT = ("task", "cell", "at", "a", "a_at", "b", "b_at")
# of a square, whose maps of similarity are drawn: how far down it and across
PATCHES = {
    "a middle patch": (0.5, 0.5),
    "an inner patch": (0.2, 0.2),
    "an edge patch": (0.5, 0.95),
    "a corner patch": (0.95, 0.95),
}
Tables = Mapping[str, pd.DataFrame]  # of a study, by name
VERDICTS = ("holds", "open", "opposed", "diverged", "not run")


def report_path(study: str, table: str) -> Path:
    """Return the path of a study's table under the project's root: scores, differences, verdicts."""
    return REPORTS / study / f"{table}.csv"


def maps_path(study: str) -> Path:
    """Return the path of similarities of a study's fetched tables, for its figure: in git, as tables are."""
    return REPORTS / study / "maps.npz"


def read_similarities(root: Path, study: str) -> artifacts.Arrays:
    """Read similarities of a study's fetched tables; nothing where it has none."""
    path = root / maps_path(study)
    return artifacts.read_arrays(path) if path.exists() else {}


def fetched_path(study: str, table: str) -> Path:
    """Return the path of a table [n, d] of a model that others trained."""
    return FOLDER / study / "tables" / f"{table}.npy"


def read_table(path: Path) -> pd.DataFrame:
    """Read a table; names of cells and values of the axis are text, "" where there is none.

    Raises InputError if one of `COLUMNS` has other columns, what is no number, or the scores of a seed twice.
    """
    table = artifacts.read_csv(path, *TEXT)
    if path.stem in COLUMNS:
        refuse_damaged(path, table)
    return table


def refuse_damaged(path: Path, table: pd.DataFrame) -> None:
    expected, cure = COLUMNS[path.stem], f"`git restore {path}`, or make it again"
    missing = [name for name in expected if name not in table]
    if other := missing or [name for name in table.columns if name not in expected]:
        told = f"{'no column' if missing else 'column'} {other[0]!r} given, expected {', '.join(expected)}"
        raise InputError(f"{path}: {told}; {cure}")
    for name in filter(table.columns.__contains__, NUMBERS):
        wrong = table[name].notna() & pd.to_numeric(table[name], errors="coerce").isna()
        if wrong.any():
            at, value = wrong.argmax(), table[name][wrong].iloc[0]
            raise InputError(f"{path}, row {at + 1}: {name} {value!r} given, expected a number; {cure}")
    if path.stem == "scores" and (twice := table.duplicated(SCORES[:-1])).any():
        row = ", ".join(map(str, table[twice].iloc[0]))
        raise InputError(f"{path}, row {twice.argmax() + 1}: {row} given, expected once; {cure}")


def require_scores(root: Path, study: str) -> pd.DataFrame:
    """Read a study's scores. Raises InputError where it has none."""
    return read_table(artifacts.require(root / report_path(study, "scores"), f"stages score {study}"))


def read_tables(root: Path, study: str) -> Tables:
    """Read the tables that a study has: scores, differences and verdicts, none where it did not run."""
    paths = {table: root / report_path(study, table) for table in ("scores", "differences", "verdicts")}
    return {table: read_table(path) for table, path in paths.items() if path.is_file()}


def write_tables(root: Path, study: str, made: Tables) -> Tables:
    """Write tables of a study. Returns them with as many digits as are written."""
    for name, table in made.items():
        artifacts.write_csv(root / report_path(study, name), table)
    return {name: read_table(root / report_path(study, name)) for name in made}


def name_value(value: float | str) -> str:
    """Name a value of an axis as tables have it, with all digits: 0.02, 1, 1048576, or a setting's name."""
    short = value if isinstance(value, str) else f"{value:g}"
    return short if isinstance(value, str) or float(short) == value else str(value)


def split_name(name: str) -> tuple[str, str]:
    """Split a name into a cell and its value of the axis, "" for none: `learned@0.2`."""
    cell, _, at = name.partition("@")
    return cell, at


def find_score(task: str) -> Score:
    """Find the score of a task, or of fetched tables for ""."""
    return find_facts(task).score if task else OF_TABLES


def find_metric(task: str, metric: str) -> tuple[str, str]:
    """Split and metric in the table of scores: of `score`, `train`, `alignment`, `gain` or `split/metric`."""
    score = find_score(task)
    known = {
        "score": (score.split, score.metric),
        "train": ("train", score.metric),
        "alignment": ("tables", "alignment"),
        "gain": ("tables", GAIN),
    }
    split, _, own = metric.partition("/")
    return known.get(metric, (split, own))


def select(scores: pd.DataFrame, task: str, metric: str) -> pd.DataFrame:
    """Select the rows of one task and metric, columns of `SCORES`."""
    split, own = find_metric(task, metric)
    if own == GAIN:
        return find_gain(scores, task)
    return scores[(scores.task == task) & (scores.split == split) & (scores.metric == own)]


def find_gain(scores: pd.DataFrame, task: str) -> pd.DataFrame:
    """Find what training added to the alignment of the table that its own seed drew."""
    final, drawn = (select(scores, task, f"tables/{name}") for name in ("alignment", "alignment_initial"))
    both = final.merge(drawn, on=["task", "cell", "at", "seed", "split"], suffixes=("", "_drawn"))
    return both.assign(metric=GAIN, value=both.value - both.value_drawn)[SCORES]

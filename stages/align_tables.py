"""All scores in one table, tables beside true positions, probe and sinusoids beside theory, the headlines."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from stages import tokens
from stages.files import artifacts
from stages.measures import fixed_encodings, headline, probe, tables
from stages.measures.alignment import permutations
from stages.measures.held_out import folds
from stages.measures.representations import classical_scaling
from stages.parameters import params
from stages.positions import true_positions
from stages.positions.positions import Matrix, Positions
from stages.positions.sinusoids import sinusoid
from stages.randomness.streams import generator
from stages.running.command import run

SCORES = Path("data/scores")
SIMILARITY = Path("data/analysis/similarity.npz")
RUNS = Path("reports/tables/runs.csv")
ALIGNMENT = Path("reports/tables/alignment.csv")
DISTINCT = Path("data/probe/distinct_rows.csv")
THEORY = Path("data/reference/probe_theory.csv")
PROBE = Path("reports/tables/probe.csv")
FIXED = Path("reports/tables/fixed_encodings.csv")
METRICS = Path("reports/metrics.json")

PERMUTATIONS = 999
SINUSOID_TOKENS, SINUSOID_WIDTHS = 128, (32, 160)  # that the claims on sinusoids are checked with
READ_OUTS = 99  # shuffles that a read-out is fitted to, which takes longer
PROCRUSTES = 199  # shuffles of a measure that takes an eigendecomposition each
WITH_CODES = ("grid", "identification", "even_tokens")  # several contents that a table is added to
IN_ORDER = ("grid", "probe", "identification", "even_tokens")  # whose tokens have an order of their own


def reference_vectors(task: str, positions: Positions) -> dict[str, Matrix]:
    """Vectors [n, k] that tables may be a turned copy of: true positions, and a sinusoid over the index."""
    vectors = {name: classical_scaling(distance) for name, distance in positions.distances.items()}
    if task in IN_ORDER:
        index = np.arange(positions.n_tokens, dtype=np.float64)
        vectors["sinusoid_1d"] = sinusoid(index, true_positions.SINUSOID_WIDTH)
    return vectors


def contents(task: str, names: Iterable[str]) -> artifacts.Arrays:
    """The vectors [R, codes, d] of the codes but blank that tables are added to, by configuration."""
    weights = {
        name: artifacts.read_weights(tokens.MODELS / task / name / "weights.safetensors") for name in names
    }
    return {
        name: one["embedding.linear.weight"] + one["embedding.linear.bias"] for name, one in weights.items()
    }


def measured(task: str, stored: artifacts.Arrays, positions: Positions, seed: int) -> pd.DataFrame:
    """Every measure of the task's tables, rows of alignment.csv without the task."""
    n = positions.n_tokens
    shuffles = permutations(n, PERMUTATIONS, generator(seed, task, "permutations"))
    fold = folds(n, generator(seed, task, "folds"))
    found = [
        tables.compare(stored, positions, shuffles),
        tables.represent(stored, reference_vectors(task, positions), shuffles, shuffles[:PROCRUSTES]),
        tables.read_out(stored, positions, fold, shuffles[:READ_OUTS]),
    ]
    if task in WITH_CODES:
        random = generator(seed, task, "read back")
        found.append(tables.read_back_first(stored, contents(task, stored), READ_OUTS, random))
    return pd.concat([one for one in found if len(one)] or found)


def sinusoids() -> pd.DataFrame:
    """Claims on the fixed sinusoid: columns n, width, kind, at, measured, formula.

    Of kind `wavelength` tokens per turn at each pair of columns; `residual` the largest error of the shift at
    each offset, 0 but for rounding.
    """
    found = []
    for width in SINUSOID_WIDTHS:
        table = sinusoid(np.arange(SINUSOID_TOKENS, dtype=np.float64), width)
        waves = fixed_encodings.wavelengths(table).rename(columns={"pair": "at"})
        shifts = fixed_encodings.shift_residuals(table).set_axis(["at", "measured"], axis=1)
        found.append(waves.assign(width=width, kind="wavelength"))
        found.append(shifts.assign(width=width, kind="residual", formula=0.0))
    return pd.concat(found).assign(n=SINUSOID_TOKENS)[["n", "width", "kind", "at", "measured", "formula"]]


def main() -> None:
    settings = params.load()
    scored, aligned, metrics = [], [], {}
    similarity: artifacts.Arrays = {}
    for task in params.TASKS:
        runs = artifacts.read_csv(artifacts.require(SCORES / f"{task}.csv", "evaluate"))
        positions, stored = tokens.positions(task, settings), tokens.trained_tables(task, settings)
        compared = measured(task, stored, positions, settings.seed)
        split, metric, references = headline.OF_TASK[task]
        metrics[task] = headline.score(runs, "focus", split, metric)
        metrics[task] |= headline.alignment(compared, "focus", references)
        scored.append(runs)
        aligned.append(compared.assign(task=task)[["task", *tables.COLUMNS]])
        similarity |= {f"{task}__{name}": tables.mean_similarity(array) for name, array in stored.items()}
        for name, distance in positions.distances.items():
            similarity[f"{task}__true_{name}"] = tables.true_similarity(distance)
    similarity["recordings_labels"] = tokens.recordings()["labels"]
    probed = {name: settings.configuration("probe", name) for name in settings.configurations("probe")}
    theory = artifacts.read_csv(THEORY, distinct_rows=str, accuracy=str)
    drawn = artifacts.read_csv(artifacts.require(DISTINCT, "distinguish"))
    n_probe = settings.sizes.probe.data.tokens
    runs_of_probe = next(runs for task, runs in zip(params.TASKS, scored, strict=True) if task == "probe")
    artifacts.write_csv(PROBE, probe.compare(probed, theory, drawn, runs_of_probe, n_probe))
    artifacts.write_csv(FIXED, sinusoids())
    artifacts.write_csv(RUNS, pd.concat(scored))
    artifacts.write_csv(ALIGNMENT, pd.concat(aligned))
    artifacts.write_arrays(SIMILARITY, similarity)
    artifacts.write_json(METRICS, metrics)


if __name__ == "__main__":
    run(main)

"""All scores in one table, tables beside true positions, probe and sinusoids beside theory, the headlines."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from stages.files import artifacts, cells
from stages.files.artifacts import Arrays
from stages.measures import fixed_encodings, probe, representations, tables
from stages.measures.alignment import permutations
from stages.measures.position_probes import folds
from stages.parameters import params
from stages.parameters.params import Params
from stages.positions.positions import Matrix, Positions
from stages.positions.scaling import classical_scaling
from stages.positions.sinusoids import REFERENCE_WIDTH, sinusoid
from stages.randomness.streams import generator
from stages.running.command import run
from stages.tasks.facts import TaskFacts, find_facts
from stages.tasks.probe.facts import Data as ProbeData

SCORES = Path("data/scores")
SIMILARITY = Path("data/analysis/similarity.npz")
RUNS = Path("reports/tables/runs.csv")
# of blocks side by side, and what is read back from the first
ALIGNMENT = Path("reports/tables/alignment.csv")
BLOCKS = Path("data/analysis/alignment_blocks.csv")  # of each block alone
DISTINCT = Path("data/probe/distinct_rows.csv")
THEORY = Path("data/reference/probe_theory.csv")
PROBE = Path("reports/tables/probe.csv")
FIXED = Path("reports/tables/fixed_encodings.csv")
METRICS = Path("reports/metrics.json")

READ_BACK = ("content_accuracy", "position_accuracy")  # from x + P before the first block
PERMUTATIONS = 999
SINUSOID_TOKENS, SINUSOID_WIDTHS = 128, (32, 160)  # that the claims on sinusoids are checked with
READ_OUTS = 99  # shuffles that a read-out is fitted to, which takes longer
PROCRUSTES = 199  # shuffles of a measure that takes an eigendecomposition each


def reference_vectors(facts: TaskFacts, positions: Positions) -> dict[str, Matrix]:
    """Vectors [n, k] that tables may be a turned copy of: true positions, and a sinusoid over the index."""
    vectors = {name: classical_scaling(distance) for name, distance in positions.distances.items()}
    if facts.ordered:
        index = np.arange(positions.n_tokens, dtype=np.float64)
        vectors["sinusoid_1d"] = sinusoid(index, REFERENCE_WIDTH)
    return vectors


def read_contents(root: Path, task: str, names: Iterable[str]) -> Arrays:
    """The vectors [R, codes, d] of the codes but blank that tables are added to, by configuration."""
    folder = root / cells.MODELS / task
    weights = {name: artifacts.read_weights(folder / name / "weights.safetensors") for name in names}
    return {
        name: stored["embedding.linear.weight"] + stored["embedding.linear.bias"]
        for name, stored in weights.items()
    }


def measure_tables(
    root: Path, facts: TaskFacts, stored: Arrays, positions: Positions, seed: int
) -> pd.DataFrame:
    """Every measure of the task's tables, rows of alignment.csv without the task."""
    if not stored:
        return pd.DataFrame(columns=tables.COLUMNS)
    n, task = positions.n_tokens, facts.name
    shuffles = permutations(n, PERMUTATIONS, generator(seed, task, "permutations"))
    fold = folds(n, generator(seed, task, "folds"))
    labels, joined = tables.list_tables(stored, "all")
    vectors = reference_vectors(facts, positions)
    parts = [
        tables.compare(stored, positions, shuffles),
        tables.label(labels, representations.align(joined, vectors, shuffles, shuffles[:PROCRUSTES])),
        tables.read_out(stored, positions, fold, shuffles[:READ_OUTS]),
    ]
    if facts.codes:
        random = generator(seed, task, "read back")
        contents = read_contents(root, task, stored)
        parts.append(tables.read_back_first(stored, contents, READ_OUTS, random))
    return pd.concat([part for part in parts if len(part)])


def describe_tokens(facts: TaskFacts, data: Arrays, positions: Positions) -> Arrays:
    """What figures and the report say of tokens: `labels`, `order`, `groups` in that order [n].

    `coordinates` [n, k] where tokens have some.
    """
    n = positions.n_tokens
    tokens, groups = facts.arrange(data, n)
    described = {"labels": facts.token_names(data, n), "order": tokens, "groups": groups}
    arrays = {name: np.array(values) for name, values in described.items()}
    return arrays if positions.coordinates is None else arrays | {"coordinates": positions.coordinates}


def headlines(facts: TaskFacts, runs: pd.DataFrame, aligned: pd.DataFrame) -> dict[str, float]:
    """Means over seeds of the focus configuration, to six decimals so that a last bit changes no line.

    Its score, the ratio to the Gaussian floor where there is one, and the Spearman alignment, blocks side by
    side, with the reference that judges the task; no numbers where it has no rows.
    runs, aligned: the task's rows of runs.csv and alignment.csv.
    """
    scores = facts.score.rows(runs, facts.name).groupby("encoding")["value"].mean().to_dict()
    numbers = {}
    if "focus" in scores:
        numbers[f"{facts.score.split}_{facts.score.metric}"] = scores["focus"]
        if "floor_gaussian" in scores:
            numbers["mse_over_gaussian_floor"] = scores["focus"] / scores["floor_gaussian"]
    reference = facts.judging_reference(set(aligned.reference))
    chosen = aligned[(aligned.encoding == "focus") & (aligned.reference == reference)]
    values = chosen[(chosen.block == "all") & (chosen.measure == "spearman")].value.dropna()
    if len(values):
        numbers[f"alignment_{reference}"] = values.mean()
    return {name: round(float(number), 6) for name, number in numbers.items()}


def compare_with_theory(root: Path, settings: Params, runs: pd.DataFrame) -> pd.DataFrame:
    """The probe's configurations beside what theory says of them."""
    configurations = {
        name: settings.configuration("probe", name) for name in settings.configurations("probe")
    }
    theory = artifacts.read_csv(root / THEORY, distinct_rows=str, accuracy=str)
    drawn = artifacts.read_csv(artifacts.require(root / DISTINCT, "stages.distinguish"))
    n_tokens = settings.data("probe", ProbeData).tokens
    return probe.compare(configurations, theory, drawn, runs[runs.task == "probe"], n_tokens)


def check_sinusoids() -> pd.DataFrame:
    """Claims on the fixed sinusoid: columns n, width, kind, at, measured, formula.

    Of kind `wavelength` tokens per turn at each pair of columns; `residual` the largest error of the shift at
    each offset, 0 but for rounding.
    """
    parts = []
    for width in SINUSOID_WIDTHS:
        table = sinusoid(np.arange(SINUSOID_TOKENS, dtype=np.float64), width)
        parts.append(fixed_encodings.wavelengths(table).assign(width=width, kind="wavelength"))
        parts.append(fixed_encodings.shift_residuals(table).assign(width=width, kind="residual"))
    return pd.concat(parts).assign(n=SINUSOID_TOKENS)[["n", "width", "kind", "at", "measured", "formula"]]


def gather_similarity(task: str, stored: Arrays, positions: Positions) -> Arrays:
    """Cosine similarity [n, n] of the rows of each table, mean over seeds, and of true positions."""
    from_tables = {f"{task}__{name}": tables.mean_similarity(array) for name, array in stored.items()}
    true = {
        f"{task}__true_{name}": tables.true_similarity(distance)
        for name, distance in positions.distances.items()
    }
    return from_tables | true


def main(root: Path = Path()) -> None:
    settings = params.load(root / params.FILE)
    scored, aligned, metrics = [], [], {}
    similarity: Arrays = {}
    for task in settings.tasks:
        facts = find_facts(task)
        data = facts.read_data(root)
        runs = artifacts.read_csv(artifacts.require(root / SCORES / f"{task}.csv", "stages.evaluate"))
        positions = facts.positions(settings, data)
        stored = cells.read_tables(root, task, settings.configurations(task))
        measured = measure_tables(root, facts, stored, positions, settings.seed)
        metrics[task] = headlines(facts, runs, measured)
        scored.append(runs)
        aligned.append(measured.assign(task=task)[["task", *tables.COLUMNS]])
        described = describe_tokens(facts, data, positions)
        similarity |= gather_similarity(task, stored, positions)
        similarity |= {f"{task}_{name}": array for name, array in described.items()}
    runs = pd.concat(scored)
    artifacts.write_csv(root / PROBE, compare_with_theory(root, settings, runs))
    artifacts.write_csv(root / FIXED, check_sinusoids())
    artifacts.write_csv(root / RUNS, runs)
    every = pd.concat(aligned)
    stated = (every.block == "all") | every.measure.isin(READ_BACK)
    artifacts.write_csv(root / ALIGNMENT, every[stated])
    artifacts.write_csv(root / BLOCKS, every[~stated])
    artifacts.write_arrays(root / SIMILARITY, similarity)
    artifacts.write_json(root / METRICS, metrics)


if __name__ == "__main__":
    run(main)

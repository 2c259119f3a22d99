"""All scores in one table, positional tables compared with true positions, and the headline numbers."""

from pathlib import Path

import pandas as pd

from stages import artifacts, params
from stages.command import run
from stages.measures import headline, tables
from stages.measures.alignment import permutations
from stages.numerics import true_positions
from stages.numerics.positions import Positions
from stages.numerics.streams import generator

MODELS = Path("data/models")
SCORES = Path("data/scores")
NETWORK = Path("data/network/frames.npz")
RECORDINGS = Path("data/recordings")
REGIONS = Path("data/reference/aal2_regions.csv")
SIMILARITY = Path("data/analysis/similarity.npz")
RUNS = Path("reports/tables/runs.csv")
ALIGNMENT = Path("reports/tables/alignment.csv")
METRICS = Path("reports/metrics.json")

PERMUTATIONS = 999
METRIC = {"grid": "accuracy", "network": "mse", "recordings": "mse"}
REFERENCES = {
    "grid": ["sinusoid_2d"],
    "network": ["communities", "graph_distance"],
    "recordings": ["functional"],
}


def known_positions(task: str, order: int) -> Positions:
    """What is truly known of the task's tokens; order: of the grid's squares."""
    if task == "grid":
        return true_positions.grid(order)
    if task == "network":
        return true_positions.network(artifacts.read_arrays(artifacts.existing(NETWORK, "simulate_network")))
    arrays = artifacts.read_arrays(artifacts.existing(RECORDINGS, "prepare_recordings"))
    networks = artifacts.read_csv(REGIONS).set_index("label")["yeo7"]
    return true_positions.recordings(arrays, networks.reindex(arrays["labels"]).fillna("").tolist())


def final_tables(settings: params.Params, task: str) -> artifacts.Arrays:
    """The trained tables [R, blocks, n, d] of every configuration that has some and did not diverge."""
    paths = {name: MODELS / task / name / "tables.npz" for name in settings.configurations(task)}
    stored = {name: artifacts.read_arrays(path)["final"] for name, path in paths.items() if path.exists()}
    return {name: array for name, array in stored.items() if tables.finite(array).any()}


def main() -> None:
    settings = params.load()
    scored, aligned, metrics = [], [], {}
    similarity: artifacts.Arrays = {}
    for task in params.TASKS:
        runs = artifacts.read_csv(artifacts.existing(SCORES / f"{task}.csv", "evaluate"))
        positions, stored = known_positions(task, settings.grid.order), final_tables(settings, task)
        shuffles = permutations(
            positions.n_tokens, PERMUTATIONS, generator(settings.seed, task, "permutations")
        )
        compared = tables.compare(stored, positions, shuffles)
        metrics[task] = headline.score(runs, "focus", METRIC[task])
        metrics[task] |= headline.alignment(compared, "focus", REFERENCES[task])
        scored.append(runs)
        aligned.append(compared.assign(task=task)[["task", *tables.COLUMNS]])
        similarity |= {f"{task}__{name}": tables.mean_similarity(array) for name, array in stored.items()}
        for name, distance in positions.distances.items():
            similarity[f"{task}__true_{name}"] = tables.true_similarity(distance)
    similarity["recordings_labels"] = artifacts.read_arrays(RECORDINGS)["labels"]
    artifacts.write_csv(RUNS, pd.concat(scored))
    artifacts.write_csv(ALIGNMENT, pd.concat(aligned))
    artifacts.write_arrays(SIMILARITY, similarity)
    artifacts.write_json(METRICS, metrics)


if __name__ == "__main__":
    run(main)

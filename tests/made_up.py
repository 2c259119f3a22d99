"""A made-up project in a folder: tiny data, and model folders as training leaves them, without training."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
import yaml

from stages.files import artifacts
from stages.files.artifacts import Arrays, write_arrays
from stages.parameters import params
from stages.positions.sinusoids import sinusoid_nd
from stages.randomness.masks import draw_masks
from stages.randomness.streams import Replicates
from stages.tasks.facts import find_facts
from stages.tasks.interface import load_task
from stages.tasks.recordings import prepare
from stages.training.assemble import assemble

ROOT = Path(__file__).parents[1]
SPLITS = {"train": 300, "test": 24, "validation": 36}
BLOCKS, WIDTH, N_SEQUENCE = 2, 12, 8
TASKS = ("grid", "network", "recordings", "probe", "identification", "even_tokens")
WITH_DATA = TASKS[:3]
Configuration = dict[str, Any]
Sweep = dict[str, Configuration]
FOCUS: Configuration = {"scheme": "learned", "init_std": 0.1}
SWEEP: Sweep = {
    "none": {"scheme": "none"},
    "sinusoidal_nd": {"scheme": "sinusoidal_nd"},
    "learned_s020": {"scheme": "learned", "init_std": 0.2},
    "learned_s200": {"scheme": "learned", "init_std": 2.0},
}


def project(folder: Path, sweep: Sweep, focus: Configuration = FOCUS, seeds: int = 2) -> None:
    """params.yaml, reference tables, data and models of every task; the network skips sinusoidal_nd."""
    values = yaml.safe_load((ROOT / "params.yaml").read_text())
    for task in WITH_DATA:
        sizes = values["scales"]["smoke"][task]
        sizes["model"] = {"width": WIDTH, "blocks": BLOCKS}
        sizes["training"] = {"seeds": seeds}
    values |= {"scale": "smoke", "pe": focus, "sweep": {"all": sweep}}
    values["tasks"] = {task: ["all"] for task in TASKS}
    (folder / "params.yaml").write_text(yaml.safe_dump(values))
    shutil.copytree(ROOT / "data/reference", folder / "data/reference")
    random = np.random.default_rng(0)
    data = {
        "grid": puzzles(np.random.default_rng(1)),
        "network": network(random),
        "recordings": recordings(random),
    }
    write_arrays(folder / "data/tasks/grid/puzzles.npz", data["grid"])
    write_arrays(folder / "data/tasks/network/frames.npz", data["network"])
    prepare.write(folder / "data/tasks/recordings", data["recordings"])
    data |= dict.fromkeys([one for one in TASKS if one not in WITH_DATA], sequence())
    drawn = pd.DataFrame({"configuration": ["focus", *sweep], "draw": 0, "distinct_rows": N_SEQUENCE})
    artifacts.write_csv(folder / "data/probe/distinct_rows.csv", drawn.assign(n=N_SEQUENCE))
    for task in TASKS:
        for name, configuration in {"focus": focus, **sweep}.items():
            cell = folder / "data/models" / task / name
            if task == "network" and configuration["scheme"] == "sinusoidal_nd":
                artifacts.write_json(cell / "skipped.json", {"reason": "these tokens have no coordinates"})
            else:
                model(cell, task, data[task], configuration, seeds, random)
    for task in WITH_DATA:
        stack(folder, task)


def sequence() -> Arrays:
    """What is known of a sequence: its tokens' indices."""
    return {"indices": np.arange(N_SEQUENCE)}


def puzzles(random: np.random.Generator) -> Arrays:
    arrays: Arrays = {}
    for split, n in SPLITS.items():
        rows, columns = (random.permuted(np.tile(np.arange(4), (n, 1)), axis=1) for _ in range(2))
        squares = ((rows[:, :, None] + columns[:, None]) % 4 + 1).reshape(n, 16)
        cells = np.where(random.random((n, 16)) < 0.5, squares, 0)
        target = np.arange(n), random.integers(0, 16, n)
        cells[target] = 5
        arrays[f"{split}_puzzles"] = cells.astype(np.uint8)
        arrays[f"{split}_answers"] = squares[target].astype(np.uint8)
        arrays[f"{split}_complexity"] = np.resize([2, 3, 4], n).astype(np.uint8)
    return arrays


def frames(covariance: np.ndarray, random: np.random.Generator) -> Arrays:
    arrays: Arrays = {}
    for split, n in SPLITS.items():
        drawn = random.multivariate_normal(np.zeros(len(covariance)), covariance, n)
        arrays[f"{split}_frames"] = drawn.astype(np.float32)
        arrays[f"{split}_masks"] = draw_masks(n, len(covariance), 0.5, random)
    return arrays


def network(random: np.random.Generator) -> Arrays:
    communities = np.repeat([0, 1, 2], 4)
    same = (communities[:, None] == communities).astype(np.float64)
    adjacency = same - np.eye(12)
    adjacency[[0, 4, 8], [4, 8, 0]] = 0.3
    return frames(0.6 * same + 0.4 * np.eye(12), random) | {
        "adjacency": adjacency,
        "communities": communities,
    }


def recordings(random: np.random.Generator) -> Arrays:
    regions = artifacts.read_csv(ROOT / "data/reference/aal2_regions.csv")
    coordinates = regions[["x_mm", "y_mm", "z_mm"]].to_numpy()
    far = np.linalg.norm(coordinates[:, None] - coordinates, axis=-1)
    covariance = np.exp(-far / 40)
    return frames(covariance, random) | {
        "coordinates": coordinates,
        "labels": regions["label"].to_numpy(str),
        "yeo7": regions["yeo7"].fillna("").to_numpy(str),
        "hemisphere": regions["hemisphere"].to_numpy(str),
        "structural": np.exp(-far / 10) * (1 - np.eye(len(far))),
        "functional": covariance,
    }


def model(
    folder: Path,
    task: str,
    data: Arrays,
    configuration: Configuration,
    seeds: int,
    random: np.random.Generator,
) -> None:
    """Predictions that worsen and tables that forget their structure as sigma grows."""
    sigma = configuration.get("init_std") or 0.01
    stored: Arrays = {"train_rows": np.arange(0, SPLITS["train"], 2)}
    if task == "probe":
        stored = {"train_logits": np.broadcast_to(9 * np.eye(N_SEQUENCE), (seeds, 1, N_SEQUENCE, N_SEQUENCE))}
    elif "indices" in data:
        stored = {"test_scores": random.uniform(size=(seeds, SPLITS["test"], N_SEQUENCE, 2))}
    for split, n in SPLITS.items() if "indices" not in data else ():
        chosen = stored["train_rows"] if split == "train" else np.arange(n)
        if "train_answers" in data:
            right = np.eye(4)[data[f"{split}_answers"][chosen] - 1]
            stored[f"{split}_logits"] = right + random.normal(0, 0.5 + sigma / 2, (seeds, *right.shape))
        else:
            truth = data[f"{split}_frames"][chosen]
            stored[f"{split}_predictions"] = truth + random.normal(0, 0.6 + sigma / 20, (seeds, *truth.shape))
    rows = {"train_rows": stored.pop("train_rows", np.arange(1))}
    numbers = {key: value.astype(np.float32) for key, value in stored.items()}
    write_arrays(folder / "predictions.npz", rows | numbers)
    codes = {"embedding.linear.weight": (seeds, 5, WIDTH), "embedding.linear.bias": (seeds, 1, WIDTH)}
    weights = {name: random.normal(size=size).astype(np.float32) for name, size in codes.items()}
    artifacts.write_weights(folder / "weights.safetensors", weights)
    if configuration["scheme"] != "none":
        table = structure(data) + random.normal(0, sigma, (seeds, BLOCKS, len(structure(data)), WIDTH))
        write_arrays(folder / "tables.npz", {"initial": table, "final": table.astype(np.float32)})


def stack(folder: Path, task_name: str) -> None:
    """Weights of all the task's cells: as drawn, with the cell's own tables where it learns some."""
    settings = params.load(folder / "params.yaml")
    data = find_facts(task_name).read_data(folder)
    task = load_task(task_name, settings, data, torch.device("cpu"))
    replicates = Replicates(0, task_name, range(settings.training(task_name).seeds))
    for name in settings.configurations(task_name):
        cell = folder / "data/models" / task_name / name
        if not (cell / "skipped.json").exists():
            drawn = assemble(
                task, settings.configuration(task_name, name), settings.model(task_name), replicates
            )
            weights = {key: value.numpy() for key, value in drawn.state_dict().items()}
            if "encoding.tables" in weights:
                weights["encoding.tables"] = artifacts.read_arrays(cell / "tables.npz")["final"]
            artifacts.write_weights(cell / "weights.safetensors", weights)


def structure(data: Arrays) -> np.ndarray:
    """[n, WIDTH] rows that resemble each other as the task's tokens do."""
    if "train_answers" in data:
        cells = np.indices((4, 4)).reshape(2, -1).T.astype(np.float64)
        return sinusoid_nd(cells, WIDTH)
    if "indices" in data:
        return sinusoid_nd(data["indices"][:, None], WIDTH)
    if "communities" in data:
        return np.eye(3)[data["communities"]] @ np.eye(3, WIDTH)
    return sinusoid_nd(data["coordinates"] / 20, WIDTH)

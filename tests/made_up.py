"""A made-up project in a folder: tiny data, and model folders as training leaves them, without training."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from changed_params import ROOT, write_params

from stages import (
    align_tables,
    ask_longer,
    describe_tables,
    evaluate,
    intervene,
    map_attention,
    perturb_inputs,
    render,
    report,
    test_differences,
)
from stages.files import artifacts
from stages.files.artifacts import Arrays, write_arrays
from stages.files.cells import MODELS, SKIPPED
from stages.parameters import params
from stages.positions.sinusoids import sinusoid_nd
from stages.randomness.masks import draw_masks
from stages.randomness.streams import Replicates
from stages.tasks.facts import find_facts
from stages.tasks.interface import load_task
from stages.tasks.recordings.prepare import PREPARED
from stages.training.assemble import assemble

AFTER_SCORES = (
    *(align_tables, describe_tables, test_differences, map_attention),
    *(intervene, perturb_inputs, ask_longer, render, report),
)
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


def reported(folder: Path, sweep: Sweep = SWEEP, focus: Configuration = FOCUS, seeds: int = 2) -> Path:
    """Path of the report of a project made up in `folder`, after every stage before it."""
    folder.mkdir(exist_ok=True)
    project(folder, sweep, focus, seeds)
    for task in TASKS:
        evaluate.evaluate(folder, task)
    for stage in AFTER_SCORES:
        stage.main(folder)
    return folder / report.REPORT


def write_recordings(folder: Path, arrays: Arrays) -> None:
    """Prepared recordings, as the stage `prepare` writes them."""
    others = dict(arrays)
    (folder / PREPARED).mkdir(parents=True, exist_ok=True)
    for name in ("train_frames", "train_masks"):
        np.save(folder / PREPARED / f"{name}.npy", others.pop(name))
    write_arrays(folder / PREPARED / "frames.npz", others)
    whose = {"split": list(SPLITS), "trained_on": "hcp 5", "scored_on": ["hcp 5", "hcp 5", "gw 2"]}
    artifacts.write_csv(folder / PREPARED / evaluate.PEOPLE, pd.DataFrame(whose))


def project(folder: Path, sweep: Sweep, focus: Configuration = FOCUS, seeds: int = 2) -> None:
    """params.yaml, reference tables, data and models of every task; the network skips sinusoidal_nd."""
    usual = {"model": {"width": WIDTH, "blocks": BLOCKS}, "training": {"seeds": seeds}}
    sizes = {f"scales.smoke.usual.{kind}.{key}": size for kind in usual for key, size in usual[kind].items()}
    tasks = {task: ["all"] for task in TASKS}
    write_params(folder, sizes | {"pe": focus, "sweep": {"all": sweep}, "tasks": tasks})
    shutil.copytree(ROOT / "data/reference", folder / "data/reference")
    random = np.random.default_rng(0)
    data = dict.fromkeys(TASKS, {"indices": np.arange(N_SEQUENCE)})
    data |= {
        "grid": puzzles(np.random.default_rng(1)),
        "network": network(random),
        "recordings": recordings(random),
    }
    write_arrays(folder / "data/tasks/grid/puzzles.npz", data["grid"])
    write_arrays(folder / "data/tasks/network/frames.npz", data["network"])
    write_recordings(folder, data["recordings"])
    drawn = pd.DataFrame({"configuration": ["focus", *sweep], "draw": 0, "distinct_rows": N_SEQUENCE})
    artifacts.write_csv(folder / "data/probe/distinct_rows.csv", drawn.assign(n=N_SEQUENCE))
    settings = params.load(folder / params.FILE)
    for task in TASKS:
        loaded = load_task(task, settings, find_facts(task).read_data(folder), torch.device("cpu"))
        for name in settings.configurations(task):
            configuration = settings.configuration(task, name)
            cell = folder / MODELS / task / name
            if (task, configuration.scheme) == ("network", "sinusoidal_nd"):
                artifacts.write_json(cell / SKIPPED, {"reason": "these tokens have no coordinates"})
                continue
            sigma = configuration.settings.get("init_std") or 0.01
            write_arrays(cell / "predictions.npz", predictions(task, data[task], sigma, seeds, random))
            model = assemble(loaded, configuration, settings.model(task), Replicates(0, task, range(seeds)))
            weights = {key: value.numpy() for key, value in model.state_dict().items()}
            if configuration.scheme != "none":
                rows = structure(data[task])
                table = rows + random.normal(0, sigma, (seeds, BLOCKS, *rows.shape))
                write_arrays(cell / "tables.npz", {"initial": table, "final": table.astype(np.float32)})
                if "encoding.tables" in weights:
                    weights["encoding.tables"] = table.astype(np.float32)
            artifacts.write_weights(cell / "weights.safetensors", weights)


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


def predictions(task: str, data: Arrays, sigma: float, seeds: int, random: np.random.Generator) -> Arrays:
    """Predictions that worsen as sigma grows."""
    if task == "probe":
        return {"train_logits": np.tile(9 * np.eye(N_SEQUENCE, dtype=np.float32), (seeds, 1, 1, 1))}
    if "indices" in data:
        return {"test_scores": random.uniform(size=(seeds, SPLITS["test"], N_SEQUENCE, 2)).astype(np.float32)}
    stored = {"train_rows": np.arange(0, SPLITS["train"], 2)}
    for split, n in SPLITS.items():
        chosen = stored["train_rows"] if split == "train" else np.arange(n)
        if "train_answers" in data:
            name, noise = "logits", 0.5 + sigma / 2
            truth = np.eye(4)[data[f"{split}_answers"][chosen] - 1]
        else:
            name, noise = "predictions", 0.6 + sigma / 20
            truth = data[f"{split}_frames"][chosen]
        drawn = truth + random.normal(0, noise, (seeds, *truth.shape))
        stored[f"{split}_{name}"] = drawn.astype(np.float32)
    return stored


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

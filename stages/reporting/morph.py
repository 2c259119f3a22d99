"""Describe what moves with the slider: maps and planes of learned tables from each σ, and the true ones."""

import base64
from typing import Any

import numpy as np
import pandas as pd
from scipy.spatial.distance import pdist

from stages.core.measures.layouts import project, turn_onto
from stages.core.positions.positions import Matrix
from stages.core.positions.scaling import classical_scaling
from stages.figures.colours import assign_colours
from stages.figures.shades import find_range, hide_diagonal, name_map
from stages.files.artifacts import Arrays
from stages.reporting.numbers import NOTHING, write
from stages.studies.judging import statistics
from stages.studies.tables import select
from stages.tasks.facts import TaskFacts, find_facts

CELL = "learned"  # of the study sigma, whose tables are shown
MARGIN = 0.2  # around the points of a plane
NEAR, RING = 0.02, 0.11  # points nearer than NEAR coincide; they are drawn RING away from their place


def describe_maps(maps: Arrays, scores: pd.DataFrame) -> dict[str, Any]:
    """Describe every task in maps, those of reports/maps.npz; scores: of the study sigma."""
    names = [key.removesuffix("__sigmas") for key in maps if key.endswith("__sigmas")]
    tasks = {task: describe_task(task, maps, select(scores, task, "alignment")) for task in names}
    ticks = {(sigma["at"], sigma["label"]) for task in tasks.values() for sigma in task["sigmas"]}
    return {"tasks": tasks, "ticks": [list(tick) for tick in sorted(ticks)]}


def describe_task(task: str, maps: Arrays, alignment: pd.DataFrame) -> dict[str, Any]:
    """Describe groups, true maps and plane, and those of every σ above 0."""
    known = {key.removeprefix(f"{task}__"): maps[key] for key in maps if key.startswith(f"{task}__")}
    facts, order, groups = find_facts(task), known["order"], known["groups"].tolist()
    plane = known["plane"][order]
    steps = [
        describe_table(known, str(sigma), plane) | {"fit": write_alignment(alignment, str(sigma))}
        for sigma in known["sigmas"]
        if float(sigma) > 0
    ]
    colours = assign_colours(groups)
    true = {key.removeprefix("true_"): known[key] for key in known if key.startswith("true_")}
    drawn = [plane, *(step["points"] for step in steps)]
    return {
        "title": facts.title,
        "plane": name_plane(facts, known.get("coordinates")),
        "groups": groups,
        "colours": [colours[group] for group in groups],
        "labels": known["labels"][order].tolist(),
        "reference": str(known["reference"]),
        "truth": rounded(plane),
        "aside": rounded(spread_in_rings(plane, groups)),
        "view": frame(round(float(np.abs(np.concatenate(drawn)).max()) + MARGIN, 3)),
        "maps": {name: pack(similarity[np.ix_(order, order)]) for name, similarity in true.items()},
        "sigmas": steps,
    }


def name_plane(facts: TaskFacts, coordinates: Matrix | None) -> str:
    """Name what the plane shows; of a brain in two coordinates no more is known."""
    if coordinates is None:
        return "classical scaling of distances"
    return "given positions" if facts.in_brain and coordinates.shape[1] == 2 else facts.plane


def describe_table(known: Arrays, sigma: str, true_plane: Matrix) -> dict[str, Any]:
    """Describe maps of a learned table and of what training added, its plane and its share."""
    order = known["order"]
    final, added = (known[name_map(sigma, state)][np.ix_(order, order)] for state in ("final", "added"))
    vectors = classical_scaling(np.sqrt(np.clip(2 - 2 * np.nan_to_num(final), 0, None)))
    plane = project(vectors, 2)
    share = float(np.sum(plane**2) / (np.sum(vectors**2) or 1.0))
    return {
        "at": float(np.log10(float(sigma))),
        "label": sigma,
        "map": pack(final),
        "added": pack(added),
        "points": rounded(turn_onto(plane, true_plane)),
        "share": round(share, 3),
    }


def write_alignment(alignment: pd.DataFrame, sigma: str) -> str:
    """Write the mean over seeds with its interval, of the tables drawn with a σ."""
    values = alignment[(alignment.cell == CELL) & (alignment["at"] == sigma)].value.dropna().to_numpy()
    if not len(values):
        return NOTHING
    low, high = statistics.interval(values)
    return f"{write(statistics.mean(values), 2)} [{write(low, 2)}, {write(high, 2)}]"


def spread_in_rings(plane: Matrix, groups: list[str]) -> Matrix:
    """Return the offset [n, 2] at which each point is drawn. Where some coincide, each group forms a ring."""
    if pdist(plane).min() > NEAR:
        return np.zeros_like(plane)
    counted = pd.Series(groups).groupby(groups)
    angle = 2 * np.pi * (counted.cumcount() / counted.transform("size")).to_numpy(np.float64)
    return RING * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def pack(ordered: Matrix) -> str:
    """Pack a symmetric map: rows below the diagonal, base64 of bytes, palest 0, darkest 255."""
    known = np.nan_to_num(ordered)
    low, high = find_range(hide_diagonal(known))
    shades = ((known - low) / (high - low)).clip(0, 1)[np.tril_indices(len(known), -1)]
    return base64.b64encode(np.rint(255 * shades).astype(np.uint8).tobytes()).decode()


def frame(extent: float) -> str:
    """Write the viewBox of a plane that reaches so far to every side."""
    return f"{-extent} {-extent} {2 * extent} {2 * extent}"


def rounded(points: Matrix) -> list[list[float]]:
    return [[float(x), float(y)] for x, y in np.round(points, 3) + 0.0]

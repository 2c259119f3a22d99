"""What moves with the slider: maps and planes of the learned tables from each sigma, beside the true ones."""

import base64
from typing import Any

import numpy as np
import pandas as pd
from scipy.spatial.distance import pdist

from stages.figures.layouts import views
from stages.figures.sigma_axis import SigmaAxis
from stages.figures.similarity_maps import read_arrangement
from stages.figures.style import BLUE, CYCLE, GREY, ORANGE
from stages.measures.layouts import project, turn_onto
from stages.measures.representations import centre
from stages.positions.positions import Matrix
from stages.positions.scaling import classical_scaling
from stages.reporting.estimates import estimate_alignment, in_words
from stages.reporting.inputs import Inputs
from stages.reporting.numbers import NOTHING
from stages.reporting.parts import Section
from stages.reporting.prose import fill_in, write_section
from stages.tasks.facts import TaskFacts

COLOURS = [BLUE, ORANGE, *(colour for colour in CYCLE if colour != "#000000"), GREY, "#8C510A", "#5E3C99"]
MARGIN = 0.2  # around the points of a plane
NEAR, RING = 0.02, 0.11  # distance of points that coincide; of drawn ones from their place


def section(inputs: Inputs) -> Section:
    tasks = {facts.name: task for facts in inputs.spatial() if (task := describe_task(inputs, facts))}
    ticks = sorted({(sigma["at"], sigma["label"]) for task in tasks.values() for sigma in task["sigmas"]})
    texts = fill_in("morph")
    if not tasks:
        return write_section(texts, paragraphs=[texts["nothing"]])
    morph = {"tasks": tasks, "ticks": [list(tick) for tick in ticks], "caption": texts["caption"]}
    return write_section(texts, morph=morph)


def describe_task(inputs: Inputs, facts: TaskFacts) -> dict[str, Any]:
    """Groups, true maps and plane, and those of every sigma; nothing where there is no learned table."""
    task, sigmas = facts.name, inputs.sigmas[facts.name]
    trained = {name: sigma for name, sigma in sigmas.items() if f"{task}__{name}" in inputs.similarity}
    if not trained:
        return {}
    tokens, groups = read_arrangement(task, inputs.similarity)
    true_plane = read_plane(inputs.layouts[f"{task}__true_layout"], facts)[tokens]
    axis = SigmaAxis(sigma for of_task in inputs.sigmas.values() for sigma in of_task.values())
    reference, aligned = estimate_alignment(inputs, facts)
    fits = {row.encoding: in_words(row) for _, row in aligned.iterrows()}
    prefix = f"{task}__true_"
    maps = {key.removeprefix(prefix): key for key in inputs.similarity if key.startswith(prefix)}
    steps = [
        describe_table(inputs.similarity[f"{task}__{name}"][np.ix_(tokens, tokens)], true_plane)
        | {"at": float(np.log10(axis.at(sigma))), "label": f"{sigma:g}", "fit": fits.get(name, NOTHING)}
        for name, sigma in sorted(trained.items(), key=lambda item: item[1])
    ]
    drawn = [true_plane, *(step["points"] for step in steps)]
    return {
        "title": facts.title,
        "plane": name_plane(facts, inputs.similarity.get(f"{task}_coordinates")),
        "groups": groups,
        "colours": [COLOURS[list(dict.fromkeys(groups)).index(group) % len(COLOURS)] for group in groups],
        "labels": inputs.similarity[f"{task}_labels"][tokens].tolist(),
        "reference": reference,
        "truth": rounded(true_plane),
        "aside": rounded(spread_in_rings(true_plane, groups)),
        "extent": round(float(np.abs(drawn).max()) + MARGIN, 3),
        "maps": {name: pack(inputs.similarity[key][np.ix_(tokens, tokens)]) for name, key in maps.items()},
        "sigmas": steps,
    }


def name_plane(facts: TaskFacts, coordinates: Matrix | None) -> str:
    """What the plane is of: of coordinates of two axes no more is known."""
    if facts.in_brain and coordinates is not None and coordinates.shape[1] == 2:
        return "the plane of the given positions"
    return facts.plane or "classical scaling of true distances"


def describe_table(similarity: Matrix, true_plane: Matrix) -> dict[str, Any]:
    """Map, plane over the true one and the plane's share of a learned table's similarity [n, n]."""
    vectors = classical_scaling(np.sqrt(np.clip(2 - 2 * np.nan_to_num(similarity), 0, None)))
    plane = project(vectors, 2)
    share = float(np.sum(plane**2) / (np.sum(vectors**2) or 1.0))
    return {
        "map": pack(similarity),
        "points": rounded(turn_onto(plane, true_plane)),
        "share": round(share, 3),
    }


def read_plane(layout: Matrix, facts: TaskFacts) -> Matrix:
    """True positions [n, k] as figures show them from above [n, 2], around 0, the farthest at distance 1."""
    view = views(layout, facts)[0]
    plane = centre(layout[:, [view.right, view.up]] * [1, view.sign])
    return np.asarray(plane / (np.linalg.norm(plane, axis=1).max() or 1.0))


def spread_in_rings(plane: Matrix, groups: list[str]) -> Matrix:
    """How far each point is drawn beside its place [n, 2]: groups as rings where some points coincide."""
    if pdist(plane).min() > NEAR:
        return np.zeros_like(plane)
    counted = pd.Series(groups).groupby(groups)
    angle = 2 * np.pi * (counted.cumcount() / counted.transform("size")).to_numpy(np.float64)
    return RING * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def pack(ordered: Matrix) -> str:
    """A symmetric map: rows up to the diagonal, base64 of signed bytes, 127 for 1."""
    values = np.nan_to_num(ordered)[np.tril_indices(len(ordered))]
    return base64.b64encode(np.rint(127 * values.clip(-1, 1)).astype(np.int8).tobytes()).decode()


def rounded(points: Matrix) -> list[list[float]]:
    return [[float(x), float(y)] for x, y in np.round(points, 3) + 0.0]

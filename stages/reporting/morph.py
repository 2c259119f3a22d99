"""What moves with the slider: maps and planes of the learned tables from each sigma, beside the true ones."""

import base64
from math import isqrt
from typing import Any

import numpy as np

from stages.figures.sigma_axis import SigmaAxis
from stages.figures.similarity_maps import REFERENCES, arrange
from stages.figures.style import BLUE, CYCLE, GREY, ORANGE
from stages.measures.layouts import turn_onto
from stages.positions.positions import Matrix
from stages.reporting.alignment import aligned_with
from stages.reporting.inputs import Inputs
from stages.reporting.layout import Points, aside, centred, to_plane, true_plane
from stages.reporting.numbers import NOTHING, estimate
from stages.reporting.section import Section

COLOURS = [BLUE, ORANGE, *(colour for colour in CYCLE if colour != "#000000"), GREY, "#8C510A", "#5E3C99"]
MARGIN = 0.2  # around the points of a plane
PLANES = {"grid": "columns and rows", "recordings": "the brain from above, front up (mm)"}
CAPTION = (
    "Maps: cosine similarity of the table's rows (\u22121 to 1, no unit), blocks side by side, mean over "
    "seeds; true: 1 for equal positions, 0 for the farthest. Planes: classical scaling of that mean, turned, "
    "mirrored and scaled onto the true layout (Procrustes), so no unit; the share says how much of the table "
    "the two dimensions hold; tokens at equal places are drawn in a ring around them. Between two \u03c3 "
    "that were trained everything is interpolated. Alignment with its 95 % interval and n stands below each "
    "task."
)


def section(inputs: Inputs) -> Section:
    tasks = {task: one for task in REFERENCES if (one := of_task(inputs, task))}
    ticks = sorted({(sigma["at"], sigma["label"]) for one in tasks.values() for sigma in one["sigmas"]})
    title, question = "A table finds its places", "What does the table look like as its \u03c3 grows?"
    if not tasks:
        return Section("morph", title, question, ["No learned table was trained here."])
    return Section(
        key="morph",
        title=title,
        question=question,
        morph={"tasks": tasks, "ticks": [list(tick) for tick in ticks], "caption": CAPTION},
    )


def of_task(inputs: Inputs, task: str) -> dict[str, Any]:
    """Groups, true maps and plane, and those of every sigma; nothing where no learned table is there."""
    sigmas = inputs.sigmas.get(task, {})
    known = {name: sigma for name, sigma in sigmas.items() if f"{task}__{name}" in inputs.similarity}
    if not known:
        return {}
    regions = inputs.tables["aal2_regions"]
    tokens, groups = arrange(task, inputs.similarity, regions)
    truth = centred(true_plane(task, inputs.similarity, regions))[tokens]
    axis = SigmaAxis(sigma for of_any in inputs.sigmas.values() for sigma in of_any.values())
    reference, alignment = aligned_with(inputs, task)
    fits = {
        name: estimate(*numbers)
        for name, *numbers in alignment[["encoding", "mean", "low", "high", "n"]].itertuples(index=False)
    }
    true = f"{task}__true_"
    names = [name.removeprefix(true) for name in inputs.similarity if name.startswith(true)]
    sigmas_in_order = [
        of_sigma(inputs.similarity[f"{task}__{name}"], tokens, truth)
        | {"at": float(np.log10(axis.at(sigma))), "label": f"{sigma:g}", "fit": fits.get(name, NOTHING)}
        for name, sigma in sorted(known.items(), key=lambda item: item[1])
    ]
    drawn = [truth, *(one["points"] for one in sigmas_in_order)]
    return {
        "plane": PLANES.get(task, "classical scaling of distances in the graph"),
        "groups": groups,
        "colours": [COLOURS[list(dict.fromkeys(groups)).index(group) % len(COLOURS)] for group in groups],
        "labels": labels(inputs, task, tokens),
        "reference": reference,
        "truth": rounded(truth),
        "aside": rounded(aside(truth, groups)),
        "extent": round(float(np.abs(drawn).max()) + MARGIN, 3),
        "maps": {name: packed(inputs.similarity[true + name], tokens) for name in names},
        "sigmas": sigmas_in_order,
    }


def of_sigma(similarity: Matrix, tokens: list[int], truth: Points) -> dict[str, Any]:
    """Map, plane over `truth` and the plane's share of a learned table's similarity [n, n]."""
    plane, share = to_plane(similarity[np.ix_(tokens, tokens)])
    return {
        "map": packed(similarity, tokens),
        "points": rounded(turn_onto(plane, truth)),
        "share": round(share, 3),
    }


def labels(inputs: Inputs, task: str, tokens: list[int]) -> list[str]:
    """Name of each token in drawing order."""
    if task == "recordings":
        return [str(name) for name in inputs.similarity["recordings_labels"][tokens]]
    side = isqrt(len(tokens))
    names = [f"row {token // side}, column {token % side}" for token in tokens]
    return names if task == "grid" else [f"node {token}" for token in tokens]


def packed(similarity: Matrix, tokens: list[int]) -> str:
    """A symmetric map in drawing order: rows up to the diagonal, base64 of signed bytes, 127 for 1."""
    ordered = np.nan_to_num(similarity[np.ix_(tokens, tokens)])[np.tril_indices(len(tokens))]
    return base64.b64encode(np.rint(127 * ordered.clip(-1, 1)).astype(np.int8).tobytes()).decode()


def rounded(points: Points) -> list[list[float]]:
    return [[float(x), float(y)] for x, y in np.round(points, 3) + 0.0]

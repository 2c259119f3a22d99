"""Points in the plane from similarities, turned to lie over the true ones."""

from math import isqrt

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.spatial.distance import pdist

from stages.files.artifacts import Arrays
from stages.measures.layouts import pad
from stages.measures.representations import factorise
from stages.positions.positions import Matrix

Points = NDArray[np.float64]  # [n, 2]
NEAR, RING = 0.02, 0.11  # distance of points that coincide; of drawn ones from their place


def to_plane(products: Matrix) -> tuple[Points, float]:
    """Points on the plane of most variance, from inner products [n, n], and its share of all variance."""
    vectors = factorise(products)[:, ::-1]
    variance = np.square(vectors).sum(axis=0)
    return pad(vectors[:, :2], 2), float(variance[:2].sum() / (variance.sum() or 1.0))


def centred(points: Points) -> Points:
    """Around the origin, the farthest at distance 1."""
    middle = points - points.mean(axis=0)
    return np.asarray(middle / (np.linalg.norm(middle, axis=1).max() or 1.0))


def true_plane(task: str, similarity: Arrays, regions: pd.DataFrame) -> Points:
    """Where the tokens truly are, up to scale; y points up.

    similarity: `<task>__true_<reference>` [n, n] and `recordings_labels`; regions: aal2_regions.csv.
    """
    if task == "grid":
        n = len(similarity["grid__true_grid_distance"])
        rows, columns = np.divmod(np.arange(n, dtype=np.float64), isqrt(n))
        return np.stack([columns, -rows], axis=1)
    if task == "recordings":
        places = regions.set_index("label").loc[similarity["recordings_labels"], ["x_mm", "y_mm"]]
        return places.to_numpy(np.float64)
    near = similarity[f"{task}__true_graph_distance"]
    distance = 1 - similarity.get(f"{task}__true_lattice_distance", near)
    return to_plane(-(distance**2) / 2)[0]


def aside(truth: Points, groups: list[str]) -> Points:
    """How far each point is drawn beside its place [n, 2]: groups as rings where some points coincide."""
    if pdist(truth).min() > NEAR:
        return np.zeros_like(truth)
    counted = pd.Series(groups).groupby(groups)
    angle = 2 * np.pi * (counted.cumcount() / counted.transform("size")).to_numpy(np.float64)
    return RING * np.stack([np.cos(angle), np.sin(angle)], axis=1)

"""Means as others published them."""

import pandas as pd

PUBLISHED = pd.DataFrame(
    [
        ("learned", 0.2, "validation_original", "all", 0.9, 0.1, 15),
        ("learned", 0.3, "validation_original", "all", 0.8, 0.1, 15),
        ("learned", 0.2, "validation_original", "binary", 0.7, 0.1, 15),
        ("learned", 0.2, "train", "all", 1.0, 0.0, 15),
        ("sinusoidal_nd", None, "validation_original", "all", 0.95, 0.05, 15),
    ],
    columns=["scheme", "init_std", "split", "condition", "mean", "sd", "n_seeds"],
)

import pandas as pd
from made_studies import make_study

from stages.figures.theirs import find_theirs
from stages.studies.schema import Figure

ENDS = pd.DataFrame(
    [
        ("learned", 0.2, "validation_original", "all", 0.9, 0.1, 15),
        ("learned", 0.3, "validation_original", "all", 0.8, 0.1, 15),
        ("learned", 0.2, "validation_original", "binary", 0.7, 0.1, 15),
        ("learned", 0.2, "train", "all", 1.0, 0.0, 15),
        ("sinusoidal_nd", None, "validation_original", "all", 0.95, 0.05, 15),
    ],
    columns=["scheme", "init_std", "split", "condition", "mean", "sd", "n_seeds"],
)


def test_every_sigma_that_was_published_is_found() -> None:
    theirs = find_theirs(ENDS, make_study(Figure("lines")), "validation", "accuracy")
    found = list(zip(theirs.cell, theirs["at"], theirs["mean"], strict=True))
    assert found == [("learned", "0.2", 0.9), ("learned", "0.3", 0.8), ("sinusoidal_nd", "", 0.95)]
    binary = find_theirs(ENDS, make_study(Figure("lines")), "validation", "accuracy_binary")
    assert binary["mean"].tolist() == [0.7]

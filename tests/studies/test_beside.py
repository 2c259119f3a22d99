import pytest
from made_published import PUBLISHED
from small_studies import SIGMA, make_study

from stages.studies.beside import find_theirs

CELLS = {
    "table": {"scheme": "learned"},
    "none": {"scheme": "none"},
    "sinusoid": {"scheme": "sinusoidal_nd"},
}
STUDY = make_study(tasks=["grid"], cells=CELLS, axis=SIGMA)


@pytest.mark.parametrize(
    ("split", "metric", "expected"),
    [
        ("validation", "accuracy", [("table", "0.2", 0.9), ("table", "0.3", 0.8), ("sinusoid", "", 0.95)]),
        ("validation", "accuracy_binary", [("table", "0.2", 0.7)]),
        ("train", "accuracy", [("table", "0.2", 1.0)]),
        ("test", "accuracy", []),
        ("tables", "alignment", []),
    ],
)
def test_what_was_published_of_a_scheme_is_beside_every_cell_of_it(
    split: str, metric: str, expected: list[tuple[str, str, float]]
) -> None:
    theirs = find_theirs(PUBLISHED, STUDY, split, metric)
    assert list(zip(theirs.cell, theirs["at"], theirs["mean"], strict=True)) == expected
    assert find_theirs(None, STUDY, split, metric).empty
    longer = {"of": "training.epochs", "values": [1, 2]}
    assert find_theirs(PUBLISHED, make_study(tasks=["grid"], cells=CELLS, axis=longer), split, metric).empty
    assert find_theirs(PUBLISHED, make_study(tasks=["grid"], cells=CELLS), split, metric).empty

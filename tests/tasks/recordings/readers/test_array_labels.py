"""Labels may be any text, also numbers."""

import csv
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.core.settings.errors import InputError
from stages.files.artifacts import write_csv
from stages.files.names import clean_name
from stages.tasks.recordings.readers import arrays
from stages.tasks.recordings.regions import find_columns, read_positions

VALUES = np.random.default_rng(0).normal(size=(12, 1))
# what pandas takes for missing values or numbers, and what needs quotes
TRICKY = ["NA", "nan", "null", "None", "1.0", "007", "7", "12", "1e5", "a b", 'b"', "c,d", "inf", "#"]
SHOWN = st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]))
CLEAN = SHOWN.map(clean_name).filter(bool)
NAMES = st.lists(st.sampled_from(TRICKY) | CLEAN, min_size=2, unique=True)


@given(labels=NAMES, data=st.data(), encoding=st.sampled_from(["utf-8", "utf-8-sig"]))
def test_labels_of_any_text_are_read_and_match_columns(
    labels: list[str], data: st.DataObject, encoding: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("own")
    order = data.draw(st.permutations(range(len(labels))))
    with (folder / "regions.csv").open("w", newline="", encoding=encoding) as file:
        csv.writer(file).writerows(
            [("label", "x", "y"), *((label, row, 0) for row, label in enumerate(labels))]
        )
    with (folder / "a.csv").open("w", newline="", encoding=encoding) as file:
        csv.writer(file).writerows([[labels[column] for column in order], *VALUES + [order]])
    regions = read_positions(folder / "regions.csv")
    assert regions.label.tolist() == labels
    write_csv(folder / "again.csv", regions)
    assert read_positions(folder / "again.csv").equals(regions)
    run = arrays.read_run(folder / "a.csv", labels)
    frames = run.frames[:, find_columns(run.labels or [], labels, folder)]
    np.testing.assert_allclose(frames, VALUES + np.arange(len(labels)))


@pytest.mark.parametrize("written", ["Région ", " Région", unicodedata.normalize("NFD", "Région")])
def test_blanks_and_ways_of_writing_an_accent_tell_no_labels_apart(written: str, tmp_path: Path) -> None:
    (tmp_path / "regions.csv").write_text(f"label,x,y\nRégion,0,0\n{written}2,1,0\n", encoding="utf-8")
    labels = read_positions(tmp_path / "regions.csv").label.tolist()
    (tmp_path / "a.csv").write_text(f"{clean_name(written + '2')},{written}\n1,2\n3,5\n", encoding="utf-8")
    run = arrays.read_run(tmp_path / "a.csv", labels)
    assert run.frames[:, find_columns(run.labels or [], labels, tmp_path)].tolist() == [[2, 1], [5, 3]]


@given(labels=NAMES, seed=st.integers(0, 99))
def test_a_first_row_of_other_numbers_is_a_frame(
    labels: list[str], seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("own") / "a.csv"
    values = np.random.default_rng(seed).normal(size=(5, len(labels)))
    np.savetxt(path, values, delimiter=",")
    run = arrays.read_run(path, labels)
    assert run.labels is None
    np.testing.assert_allclose(run.frames, values)


@pytest.mark.parametrize("first", ["7.0,12.0", "7,13", "012,007"])
def test_a_first_row_that_may_be_a_frame_or_labels_is_refused(first: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(f"{first}\n0.5,1.5\n")
    with pytest.raises(InputError, match=rf"a\.csv: the first row {first}… may be a frame or labels[^\n]*$"):
        arrays.read_run(tmp_path / "a.csv", ["7", "12"])


def test_a_region_may_be_called_as_row_numbers_are(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("index,b\n0,.5\n1,.7\n2,.1\n")
    assert arrays.read_run(tmp_path / "a.csv", ["index", "b"]).frames[:, 0].tolist() == [0, 1, 2]

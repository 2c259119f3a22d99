import re
from collections.abc import Sequence
from pathlib import Path

import made_recordings as made
import numpy as np
import pandas as pd
import pytest

from stages.core.settings.errors import InputError
from stages.files.number_csv import say_once
from stages.tasks.recordings.readers import arrays

LABELS = ["a", "b", "c"]
VALUES = np.random.default_rng(0).normal(size=(12, 3))


def write(folder: Path, name: str) -> Path:
    path = folder / name
    if name.endswith(".npy"):
        np.save(path, VALUES)
    elif name.endswith(".npz"):
        np.savez_compressed(path, signal=VALUES)
    else:
        np.savetxt(path, VALUES, delimiter=",", header="a,b,c", comments="")
    return path


@pytest.mark.parametrize("name", ["a.npy", "a.npz", "named.csv"])
def test_every_kind_of_file_holds_the_same_frames(name: str, tmp_path: Path) -> None:
    run = arrays.read_run(write(tmp_path, name), LABELS)
    np.testing.assert_allclose(run.frames, VALUES, rtol=1e-15)
    assert run.labels == (["a", "b", "c"] if name == "named.csv" else None)


@pytest.mark.parametrize("index", [None, [f"2026-01-{day:02}" for day in range(1, 13)]])
def test_row_numbers_and_names_that_pandas_writes_are_left_out(
    index: list[str] | None, tmp_path: Path
) -> None:
    pd.DataFrame(VALUES, index, LABELS).to_csv(tmp_path / "a.csv")
    run = arrays.read_run(tmp_path / "a.csv", LABELS)
    assert run.labels == LABELS
    np.testing.assert_allclose(run.frames, VALUES, rtol=1e-15)
    weights = pd.DataFrame(np.eye(3), LABELS, LABELS)
    weights.to_csv(tmp_path / "square.csv")
    assert (arrays.read_square(tmp_path / "square.csv", LABELS) == weights.to_numpy()).all()


@pytest.mark.parametrize("mark", [";", "\t"])
def test_other_marks_than_commas_are_named(mark: str, tmp_path: Path) -> None:
    pd.DataFrame(VALUES, columns=LABELS).to_csv(tmp_path / "a.csv", sep=mark, index=False)
    with pytest.raises(InputError, match=re.escape(f"cells between {mark!r}, expected commas")):
        arrays.read_run(tmp_path / "a.csv", LABELS)


@pytest.mark.parametrize("columns", [range(3), range(1, 4), ["0.0", "1.0", "2.0"]])
@pytest.mark.parametrize("index", [True, False])
def test_a_first_row_that_counts_names_columns_in_order_and_that_is_said(
    columns: Sequence[int | str], index: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pd.DataFrame(VALUES, columns=list(columns)).to_csv(tmp_path / "a.csv", index=index)
    say_once.cache_clear()
    run = arrays.read_run(tmp_path / "a.csv", LABELS)
    assert run.labels is None
    np.testing.assert_allclose(run.frames, VALUES, rtol=1e-15)
    arrays.read_run(tmp_path / "a.csv", LABELS)
    said = "first column, '', is left out" if index else "first line, .*, is taken for names"
    assert len(re.findall(rf"recordings\.files: .*{said}", capsys.readouterr().out)) == 1


@pytest.mark.parametrize("name", ["index", "id", "position"])
def test_a_column_that_numbers_frames_is_no_region(name: str, tmp_path: Path) -> None:
    table = pd.DataFrame(VALUES, columns=LABELS)
    table.insert(0, name, range(12))
    table.to_csv(tmp_path / "a.csv", index=False)
    run = arrays.read_run(tmp_path / "a.csv", LABELS)
    assert run.labels == LABELS and run.frames.shape == (12, 3)
    table.to_csv(tmp_path / "a.csv", index=False, header=False)
    with pytest.raises(InputError, match="column 1 '' counts rows, and may number them"):
        arrays.read_run(tmp_path / "a.csv", LABELS)


def test_rows_longer_than_the_first_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b\n1,2,3\n4,5,6\n")
    with pytest.raises(InputError, match=r"a\.csv line 2: 3 cells, expected 2 as in the first line[^\n]*$"):
        arrays.read_run(tmp_path / "a.csv", ["a", "b"])


def test_only_one_array_may_be_in_a_file(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", one=VALUES, two=VALUES)
    with pytest.raises(ValueError, match=r"a\.npz: .*\(2 arrays in it, expected one\)"):
        arrays.read_run(tmp_path / "a.npz", LABELS)


def test_a_flipped_bit_of_a_packed_file_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "a.npz")
    made.read_flipped(path, lambda: arrays.read_run(path, LABELS).frames)


SQUARE = np.random.default_rng(3).normal(size=(30, 30))


@pytest.mark.parametrize("suffix", ["npy", "csv"])
@pytest.mark.parametrize(
    "matrix", [np.corrcoef(SQUARE), SQUARE @ SQUARE.T, np.triu(SQUARE), np.tril(SQUARE, -1)]
)
def test_a_number_for_each_pair_of_regions_is_no_recording(
    suffix: str, matrix: np.ndarray, tmp_path: Path
) -> None:
    if suffix == "npy":
        np.save(tmp_path / "a.npy", matrix)
    else:
        np.savetxt(tmp_path / "a.csv", matrix, delimiter=",")
    with pytest.raises(InputError, match=r"a (symmetric|triangular) matrix of 30 rows"):
        arrays.read_run(tmp_path / f"a.{suffix}", [f"r{row}" for row in range(30)])


def test_time_in_a_square_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    say_once.cache_clear()
    labels = [f"r{row}" for row in range(30)]
    pd.DataFrame(SQUARE, columns=labels).to_csv(tmp_path / "a.csv", index=False)
    arrays.read_run(tmp_path / "a.csv", labels)
    assert not capsys.readouterr().out
    with (tmp_path / "A.NPY").open("wb") as file:
        np.save(file, SQUARE)
    assert (arrays.read_run(tmp_path / "A.NPY", labels).frames == SQUARE).all()
    assert "rows are taken for time" in capsys.readouterr().out


@pytest.mark.parametrize("labels", [LABELS, ["3", "1", "2"], ["1", "2", "3"]])
@pytest.mark.parametrize("kind", ["npy", "csv"])
def test_an_order_that_nothing_can_check_is_said(
    kind: str, labels: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for key, read, values in (
        ("files", arrays.read_run, VALUES),
        ("structural", arrays.read_square, np.eye(3)),
    ):
        path = tmp_path / f"{key}.{kind}"
        if kind == "npy":
            np.save(path, values)
        else:
            counted = labels == LABELS  # 0,1,2 above the numbers; among labels of numbers that is refused
            pd.DataFrame(values).to_csv(path, index=False, header=counted)
        say_once.cache_clear()
        read(path, labels)
        said = f"recordings.{key}: nothing names the regions of an array, so they are taken in the order of"
        assert (said in capsys.readouterr().out) == (labels != ["1", "2", "3"])


def test_an_order_by_name_is_not_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    say_once.cache_clear()
    arrays.read_run(write(tmp_path, "named.csv"), LABELS[::-1])
    pd.DataFrame(np.eye(3), LABELS, LABELS).to_csv(tmp_path / "w.csv")
    arrays.read_square(tmp_path / "w.csv", LABELS[::-1])
    assert not capsys.readouterr().out

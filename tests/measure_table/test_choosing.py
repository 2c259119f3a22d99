import re
from pathlib import Path

import numpy as np
import pytest

from stages.files import artifacts
from stages.measure_table.tables import read_table
from stages.parameters.errors import InputError

FINE = np.random.default_rng(1).normal(size=(12, 3))
NAN = np.where(np.arange(36).reshape(12, 3) == 16, np.nan, FINE)


def refuse(tmp_path: Path, said: str, asked: str | None = None, **arrays: np.ndarray) -> None:
    artifacts.write_arrays(tmp_path / "a.npz", arrays)
    with pytest.raises(InputError, match=re.escape(said)) as caught:
        read_table(tmp_path / "a.npz", asked)
    assert "a.npz" in str(caught.value) and "; " in str(caught.value) and "\n" not in str(caught.value)


def test_the_one_whose_name_speaks_of_positions_is_taken(tmp_path: Path) -> None:
    artifacts.write_arrays(tmp_path / "a.npz", {"head": FINE, "Pos_Embed": FINE + 1, "pos_bias": FINE[0]})
    name, table = read_table(tmp_path / "a.npz", None)
    assert name == "Pos_Embed" and np.array_equal(table, FINE + 1)
    name, table = read_table(tmp_path / "a.npz", "head")
    assert name == "head" and np.array_equal(table, FINE)


def test_of_several_one_must_be_chosen(tmp_path: Path) -> None:
    artifacts.write_arrays(tmp_path / "a.npz", {"a": FINE, "b": FINE[None], "c": FINE[0]})
    with pytest.raises(
        InputError, match=r"2 tensors .* --tensor: a \[12, 3\] float64, b \[1, 12, 3\] float64$"
    ):
        read_table(tmp_path / "a.npz", None)


def test_what_is_no_table_is_refused(tmp_path: Path) -> None:
    refuse(tmp_path, "tensor positon not found, expected position;", "positon", position=FINE, head=FINE)
    refuse(
        tmp_path,
        "no table in it, expected floats in rows and columns, 10 to 5000 rows",
        a=FINE[:9],
        b=FINE[0],
    )
    refuse(tmp_path, "tensor a is [2, 12, 3], expected rows and columns", "a", a=np.stack([FINE, FINE]))
    refuse(tmp_path, "tensor a is [12, 9000]", "a", a=np.ones((12, 9000)))
    refuse(tmp_path, "tensor a holds int64, expected real numbers", "a", a=np.ones((12, 3), np.int64))
    refuse(tmp_path, "tensor a holds complex128, expected real numbers", "a", a=FINE + 0j)
    refuse(tmp_path, "tensor a: nan in row 5, expected finite numbers", a=NAN)
    refuse(
        tmp_path,
        "tensor a: 1e+200 in row 5, expected finite numbers",
        a=np.where(np.arange(12)[:, None] == 5, 1e200, FINE),
    )
    refuse(tmp_path, "tensor a: all rows are equal", a=np.tile(FINE[:1], (12, 1)))

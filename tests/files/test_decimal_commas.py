from pathlib import Path

import numpy as np
import pytest

from stages.core.settings.errors import InputError
from stages.files.csv_lines import read_named
from stages.files.number_csv import read_numbers, read_square

TABLE = np.random.default_rng(0).normal(size=(8, 4))


def write(folder: Path, text: str) -> Path:
    (folder / "a.csv").write_text(text)
    return folder / "a.csv"


def spell(numbers: np.ndarray, form: str, beside: bool = False) -> str:
    rows = [[str(row)] * beside + [form % number for number in numbers[row]] for row in range(len(numbers))]
    return "\n".join(",".join(row) for row in rows).replace(".", ",") + "\n"


@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize(
    ("numbers", "form"),
    [(TABLE, "%.4f"), (TABLE, "%.6g"), (TABLE, "%.2e"), (np.abs(TABLE), "%.3f")],
)
def test_decimals_behind_commas_are_refused(
    numbers: np.ndarray, form: str, beside: bool, tmp_path: Path
) -> None:
    path = write(tmp_path, spell(numbers, form, beside))
    with pytest.raises(InputError, match=r"a\.csv: decimals stand behind commas, .* points before decimals"):
        read_numbers(path)


def test_they_are_refused_in_a_square(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="decimals stand behind commas"):
        read_square(write(tmp_path, spell(np.abs(TABLE), "%.3f")))


@pytest.mark.parametrize("text", ["a,b\n0,25,1,5\n", "label,x,y\nr,0,25,1,5\n", "0,25,1,5\n0,5,1\n"])
def test_lines_of_another_length_are_refused_with_the_cure(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cells, expected .*; mend it, or write points before decimals"):
        read_named(write(tmp_path, text), ["x"] if "x" in text else [])


@pytest.mark.parametrize(
    "form", ["0,672,1,944\n1,118,0,273\n", spell(100 * TABLE, "%.1f"), "10234,5\n99123,7\n"]
)
def test_what_may_be_decimals_is_said(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = read_numbers(write(tmp_path, form)).numbers
    assert table[0, 0] == float(form.split(",")[0])
    assert "each second column holds numbers of one length" in capsys.readouterr().out


@pytest.mark.parametrize(
    "text",
    [
        "0,1,0\n1,0,1\n0,1,0\n",
        "0,0,1\n1,0,0\n",
        "3,10\n12,5\n",
        "0,1\n1,9\n",
        "2048,9999\n1234,1000\n",
        "00,01\n10,11\n",
        "-0,-1\n-1,-0\n",
        "0,-5\n0,05\n",
        "1,2\n",
        "7\n12\n",
    ],
)
def test_whole_numbers_are_numbers(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    read_numbers(write(tmp_path, text))
    assert capsys.readouterr().out == ""

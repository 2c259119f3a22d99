"""The stage end to end at the smallest scale: what its file holds, and what it refuses."""

import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from changed_params import ROOT, write_params

from stages.files import artifacts
from stages.tasks.grid import generate

HEADER = "ID,LST_num,condition,puzzles,solutions"
# the same puzzle with its symbols renamed, so that any two share the target mark alone
OWN = ["5234000000000000,1", "5341000000000000,2", "5412000000000000,3", "5123000000000000,4"]


def generate_puzzles(root: Path, seed: int = 0, **grid: Any) -> artifacts.Arrays:
    """Arrays that the stage writes at scale smoke, with these settings of the section `grid`."""
    write_params(root, {"seed": seed} | {f"grid.{name}": value for name, value in grid.items()})
    shutil.copytree(ROOT / "data/reference", root / "data/reference", dirs_exist_ok=True)
    generate.main(root)
    return artifacts.read_arrays(root / generate.PUZZLES)


def write_own(root: Path, name: str, rows: list[str]) -> str:
    lines = [f"{number},{number},Binary,{row}" for number, row in enumerate(rows)]
    (root / name).write_text("\n".join([HEADER, *lines]) + "\n")
    return name


@pytest.mark.parametrize("order", [4, 5])
def test_arrays_are_as_other_stages_expect_them(order: int, tmp_path: Path) -> None:
    arrays = generate_puzzles(tmp_path, order=order, protocol="even" if order > 4 else "published")
    assert len(arrays) == 9
    for name, count in {"train": 540, "test": 60, "validation": 48}.items():
        puzzles, answers = arrays[f"{name}_puzzles"], arrays[f"{name}_answers"]
        complexity = arrays[f"{name}_complexity"]
        assert puzzles.dtype == answers.dtype == complexity.dtype == np.uint8
        assert puzzles.shape == (count, order**2)
        assert ((puzzles == order + 1).sum(1) == 1).all() and puzzles.max() == order + 1
        assert set(answers.tolist()) == set(range(1, order + 1))
        assert np.bincount(complexity).tolist() == [0, 0, *[count // 3] * 3]


def test_the_seed_decides_every_byte_and_the_summary_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    contents = []
    for seed in (1, 1, 2):
        generate_puzzles(tmp_path, seed)
        contents.append((tmp_path / generate.PUZZLES).read_bytes())
        summary = (
            r"540 train, 60 test, 48 validation puzzles; least distance to validation 0\.8\d\d, above 0\.8\n"
        )
        assert re.fullmatch(summary, capsys.readouterr().out)
    assert contents[0] == contents[1] != contents[2]


@pytest.mark.parametrize(
    ("train", "distance"),
    # those of the first share 1 of 7 elements with validation; the second holds them too
    [(OWN[:2], f"{6 / 7:.3f}, above 0.8"), (OWN, "0.000, not above 0.8")],
)
def test_own_files_replace_generated_puzzles_at_any_distance(
    train: list[str], distance: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        "train": [write_own(tmp_path, "train1.csv", train[:1]), write_own(tmp_path, "train2.csv", train[1:])],
        "validation": [write_own(tmp_path, "validation.csv", OWN[2:])],
    }
    arrays = generate_puzzles(tmp_path, puzzles=files, test_fraction=0.5)
    assert arrays["validation_answers"].tolist() == [3, 4]
    assert sorted([*arrays["train_answers"], *arrays["test_answers"]]) == [*range(1, len(train) + 1)]
    assert capsys.readouterr().out.endswith(f"distance to validation {distance}\n")


def test_the_published_protocol_is_of_one_order(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="^grid.protocol: 'published' given with order 5, expected order 4"):
        generate_puzzles(tmp_path, order=5)


def test_published_validation_puzzles_have_the_last_cell_as_target_as_often_as_the_study(
    tmp_path: Path,
) -> None:
    size = {"puzzles_per_complexity": 20, "validation_per_complexity": 36}
    write_params(tmp_path, {"scales.smoke.grid.data": size})
    shutil.copytree(ROOT / "data/reference", tmp_path / "data/reference")
    generate.main(tmp_path)
    puzzles = artifacts.read_arrays(tmp_path / generate.PUZZLES)["validation_puzzles"]
    shares = (puzzles[:, -1] == 5).reshape(3, 36).mean(1)
    assert (shares > 0.08).all() and (shares < 0.14).all()


@pytest.mark.parametrize("lone", ["train", "validation"])
def test_one_own_file_alone_is_refused(lone: str, tmp_path: Path) -> None:
    files: dict[str, list[str]] = {"train": [], "validation": []} | {
        lone: [write_own(tmp_path, "own.csv", OWN)]
    }
    with pytest.raises(ValueError, match="^grid.puzzles: .*expected files for both or neither.*$"):
        generate_puzzles(tmp_path, puzzles=files)

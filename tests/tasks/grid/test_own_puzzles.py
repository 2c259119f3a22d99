"""Own files of puzzles: where they come, what is said of copies, and what is refused."""

from pathlib import Path

import pytest
from made_puzzles import generate_puzzles

from stages.core.settings.errors import InputError

HEADER = "ID,LST_num,condition,puzzles,solutions"
# the same puzzle in other rows, so that any two share nothing
OWN = ["5234000000000000,1", "0000534100000000,2", "0000000054120000,3", "0000000000005123,4"]
# the same puzzle with its symbols renamed, so that any two share the target mark alone
RENAMED = ["5234000000000000,1", "5341000000000000,2", "5412000000000000,3", "5123000000000000,4"]


def write_own(root: Path, name: str, rows: list[str]) -> str:
    lines = [f"{number},{number},Binary,{row}" for number, row in enumerate(rows)]
    (root / name).write_text("\n".join([HEADER, *lines]) + "\n")
    return str(root / name)


@pytest.mark.parametrize(
    ("train", "distance"),
    # those of the first share nothing with validation; the second holds them too
    [(OWN[:2], "1.000, above 0.8"), (OWN, "0.000, not above 0.8")],
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
    assert f"distance to validation {distance}\n" in capsys.readouterr().out


def test_repeats_in_own_files_are_in_one_split_and_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        "train": [write_own(tmp_path, "train.csv", OWN * 20)],
        "validation": [write_own(tmp_path, "validation.csv", OWN[3:])],
    }
    arrays = generate_puzzles(tmp_path, puzzles=files, test_fraction=0.25)
    assert len(arrays["test_answers"]) == 20 and len(arrays["train_answers"]) == 60
    assert set(arrays["test_answers"]).isdisjoint(arrays["train_answers"])
    said = capsys.readouterr().out
    assert "\n4 of the 80 train and test puzzles differ; equal ones are all in one of the two\n" in said
    assert "\n20 train and test puzzles are in validation too\n" in said
    assert "validation puzzles differ" not in said
    assert "symbols' names" not in said  # equal as they stand
    files["validation"] = [write_own(tmp_path, "again.csv", [*OWN, *OWN[:1] * 16])]
    generate_puzzles(tmp_path, puzzles=files, test_fraction=0.25)
    said = capsys.readouterr().out
    assert "\n4 of the 20 validation puzzles differ; each counts as often as it stands\n" in said
    assert "note: grid.puzzles: 1 is the answer of 85% of the validation puzzles, 25% by chance" in said
    assert "note: grid.puzzles: own files given, so no puzzle depends on grid.min_givens, grid.max_g" in said


@pytest.mark.parametrize(
    ("validation", "count"),
    [
        (RENAMED[2:], 2),
        (["0000432500000000,1"], 1),
        (["0000435200000000,1", RENAMED[0]], 0),
        (RENAMED[1:], 2),
    ],
)
def test_validation_puzzles_with_other_names_of_symbols_are_said(
    validation: list[str], count: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    train = [*RENAMED[:2], "0000123500000000,4"]
    files = {
        "train": [write_own(tmp_path, "train.csv", train)],
        "validation": [write_own(tmp_path, "validation.csv", validation)],
    }
    generate_puzzles(tmp_path, puzzles=files, test_fraction=0.5)
    told = f"{count} of the {len(validation)} validation puzzles are train or test puzzles but for their"
    said = capsys.readouterr().out
    assert (told in said) == bool(count) == ("symbols' names" in said)


def test_renamed_copies_in_own_files_are_in_one_split(tmp_path: Path) -> None:
    files = {
        "train": [write_own(tmp_path, "train.csv", [*RENAMED, *OWN[1:]])],
        "validation": [write_own(tmp_path, "validation.csv", OWN[:1])],
    }
    for seed in range(4):
        arrays = generate_puzzles(tmp_path, seed, puzzles=files, test_fraction=0.25)
        starts = [{bytes(puzzle > 0) for puzzle in arrays[f"{part}_puzzles"]} for part in ("train", "test")]
        assert starts[0].isdisjoint(starts[1]) and len(starts[1]) == 1


def test_a_puzzle_of_two_complexities_is_refused_across_files(tmp_path: Path) -> None:
    files = {
        "train": [write_own(tmp_path, "train.csv", OWN)],
        "validation": [write_own(tmp_path, "validation.csv", OWN[:1])],
    }
    text = (tmp_path / "validation.csv").read_text()
    (tmp_path / "validation.csv").write_text(text.replace("Binary", "Ternary"))
    with pytest.raises(
        InputError, match=r"train.csv: puzzle 5234000000000000 has complexity 2, and 3 in .*val"
    ):
        generate_puzzles(tmp_path, puzzles=files, test_fraction=0.25)

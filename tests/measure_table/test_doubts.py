"""Doubts are printed of rows that may stand for no place, and of tables that may hold something else."""

import re
from pathlib import Path

import numpy as np
import pytest

from stages.core.positions.positions import Matrix
from stages.core.settings.errors import InputError
from stages.files import artifacts
from stages.measure_table.doubts import doubt_columns, doubt_rows, find_runs, name_relative
from stages.measure_table.places import place_cells
from stages.measure_table.tables import Asked, read_table


def rows(n: int, d: int = 4) -> Matrix:
    return np.random.default_rng(n).normal(size=(n, d))


@pytest.mark.parametrize(
    ("n", "said"),
    [
        (197, "197 rows are 196 and 1 more, which may stand for no place: a class token first"),
        (198, "198 rows are 196 and 2 more"),
        (2050, "2050 rows are 2048 and 2 more, which .*two rows first .OPT, BART.*without them: --rows 2:$"),
        (514, "514 rows are 512 and 2 more"),
    ],
)
def test_one_or_two_rows_beside_a_usual_number_are_told(n: int, said: str) -> None:
    (told,) = doubt_rows(rows(n), "line", [])
    assert re.match(said, told)


@pytest.mark.parametrize(
    ("n", "positions"), [(196, "line"), (512, "line"), (197, "square:1x197"), (30, "line"), (257, "a.csv")]
)
def test_usual_numbers_and_places_that_are_given_are_not(n: int, positions: str) -> None:
    assert not [*doubt_rows(rows(n), positions, ["wte"])]


def test_a_class_token_in_the_file_is_told() -> None:
    assert [*doubt_rows(rows(1214), "line", ["cls_token", "pos_embed"])] == [
        "the file holds cls_token, whose row may be the first; without it: --rows 1:"
    ]


def test_zero_and_equal_rows_are_told_with_what_leaves_them_out() -> None:
    table = rows(30)
    table[20:] = 0
    table[:2] = 0
    table[7] = table[8] = table[9]
    assert [*find_runs(table)] == [(0, 1), (7, 9), (20, 29)]
    told = [*doubt_rows(table, "line", [])]
    assert told[0].startswith("rows 0 to 1 are zero") and told[0].endswith("without them: --rows 2:")
    assert told[1].startswith("rows 7 to 9 are equal") and told[1].endswith("cut them out")
    assert told[2].startswith("rows 20 to 29 are zero") and told[2].endswith("without them: --rows :20")
    table = rows(30)
    table[1] = 0  # of padding
    assert [*doubt_rows(table, "line", [])][0].startswith("row 1 is zero")
    assert len([*doubt_rows(np.repeat(rows(30), 2, axis=0), "line", [])]) == 4


def test_rows_are_left_out(tmp_path: Path) -> None:
    table = rows(197)
    np.save(tmp_path / "pos.npy", table)
    found = read_table(tmp_path / "pos.npy", None, Asked(rows="1:"))
    assert np.array_equal(found.rows, table[1:])
    assert found.said == ["rows 1: of 197 are measured, the first of them as row 0"]
    assert np.array_equal(read_table(tmp_path / "pos.npy", None, Asked(rows="2:-3")).rows, table[2:-3])
    for given, said in (
        ("1", "expected START:END"),
        ("1:2:3", "expected START:END"),
        ("190:", "leaves 7 of 197"),
    ):
        with pytest.raises(InputError, match=rf"--rows {given}.*{said}"):
            read_table(tmp_path / "pos.npy", None, Asked(rows=given))


@pytest.mark.parametrize(
    ("shape", "whose"),
    [
        ((169, 6), "Swin's offsets in a window of 7 x 7"),
        ((529, 32), "Swin's offsets in a window of 12 x 12"),
        ((732, 12), "BEiT's offsets in a window of 14 x 14"),
        ((32, 8), "T5's 32 buckets"),
        ((169, 384), None),
        ((196, 12), None),
        ((64, 16), None),
    ],
)
def test_shapes_of_relative_tables(shape: tuple[int, int], whose: str | None, tmp_path: Path) -> None:
    named = name_relative(*shape)
    assert named == whose or (whose is not None and str(named).startswith(whose))
    np.save(tmp_path / "table.npy", rows(*shape))
    if whose:
        with pytest.raises(InputError, match=rf"{whose}.* give --tensor table"):
            read_table(tmp_path / "table.npy", None)
        assert whose in read_table(tmp_path / "table.npy", "table").said[1]
    else:
        read_table(tmp_path / "table.npy", None)
    np.save(tmp_path / "wpe.npy", rows(*shape))
    assert not read_table(tmp_path / "wpe.npy", None, Asked("square:1x169")).said


@pytest.mark.parametrize(
    "name", ["attn.relative_position_bias_table", "SelfAttention.relative_attention_bias.weight", "rel_pos_h"]
)
def test_relative_tables_are_refused_by_name(name: str, tmp_path: Path) -> None:
    artifacts.write_weights(tmp_path / "a.safetensors", {name: rows(27, 64)})
    for asked in (None, name):
        with pytest.raises(
            InputError, match=rf"tensor {re.escape(name)} holds relative positions by its name"
        ):
            read_table(tmp_path / "a.safetensors", asked)
    artifacts.write_weights(tmp_path / "a.safetensors", {name: rows(27, 64), "pos_embed": rows(20)})
    assert read_table(tmp_path / "a.safetensors", None).name == "pos_embed"


def test_a_first_row_of_zeros_may_be_of_sines() -> None:
    told = [*doubt_rows(np.sin(np.outer(np.arange(30), [1, 0.1])), "line", [])]
    assert told == [
        "row 0 is zero, as of sines or coordinates that start at 0, or rows that were never trained; "
        "without them: --rows 1:"
    ]


@pytest.mark.parametrize("code", [-999.0, 99999.0, -32768.0, float(np.float32(1e20))])
def test_a_code_for_a_missing_number_is_told(code: float) -> None:
    table = rows(30)
    assert not [*doubt_columns(table)]
    table[7, 2] = code
    (told,) = doubt_columns(table)
    assert told.startswith(f"{code:.10g} stands in row 7, counted from 0, far from all other numbers")
    table[20:] = code
    assert "stands in rows 7, 20, 21 and 8 more" in next(doubt_columns(table))
    table[20:, 0] = 0.5
    table[0] = 900 * np.sign(code) * max(1, abs(code) / 999)
    assert not any("stands" in told for told in doubt_columns(table))


@pytest.mark.parametrize(
    "column", [1e6 / (1 + np.arange(30)), 2001.0 + 7 * np.arange(30) ** 2, rows(30, 1)[:, 0] * 99]
)
def test_a_column_that_dominates_is_told(column: Matrix) -> None:
    (told,) = doubt_columns(np.c_[rows(30), column])
    assert told.startswith("column 5 of 5 holds more than 99 % of the variance")
    assert not [*doubt_columns(column[:, None])]


def test_a_column_that_may_number_rows_is_told() -> None:
    (told,) = doubt_columns(np.c_[rows(30), np.arange(30) / 10])
    assert told.startswith("column 5 of 5 goes from row to row in equal steps")


@pytest.mark.parametrize(("row", "number"), [(7, -1.0), (0, 5.0), (29, 1e-3)])
def test_a_row_of_one_number_is_told(row: int, number: float) -> None:
    table = rows(30)
    table[row] = number
    (told,) = doubt_rows(table, "line", [])
    assert told.startswith(f"row {row} is {number:g} throughout, as rows that were never trained")
    assert not [*doubt_rows(place_cells((5, 6)) + 1, "line", [])]


@pytest.mark.parametrize(("row", "size"), [(5, 1e6), (0, -3e3), (29, 1e9)])
def test_a_row_far_from_all_others_is_told(row: int, size: float) -> None:
    table = rows(30)
    table[row] *= 9  # as GPT-2's first
    assert not [*doubt_rows(table, "line", [])]
    table[row] *= size
    (told,) = doubt_rows(table, "line", [])
    assert told.startswith(f"row {row}, counted from 0, holds more than 99 % of the variance")


def say(tmp_path: Path, tensors: dict[str, Matrix], asked: str | None = None, file: str = "a") -> list[str]:
    (path := tmp_path / f"{file}.safetensors").parent.mkdir(exist_ok=True)
    artifacts.write_weights(path, tensors)
    return read_table(path, asked).said


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("pos_embed.weight", {"pos_embed.lora_A": rows(64, 8)}),
        ("h.wpe.base_layer.weight", {"h.wpe.lora_embedding_B.default": rows(40, 20)}),
        ("wpe.weight", {"wpe.weight_scale": rows(64)[:, 0]}),
    ],
)
def test_what_changes_a_table_is_told(name: str, other: dict[str, Matrix], tmp_path: Path) -> None:
    assert say(tmp_path, {name: rows(64), "proj.lora_A": rows(64), "proj.scale": rows(64)}) == []
    (told,) = say(tmp_path, {name: rows(64)} | other)
    assert told.startswith(f"{next(iter(other))} may change what is stored as {name}; if so, save")
    assert say(tmp_path, {name: rows(64), "wpe.scale": np.ones(1)}) == []


@pytest.mark.parametrize("n", [18, 40, 50])
def test_a_table_of_parts_of_speech_is_told(n: int, tmp_path: Path) -> None:
    words = {"word_embedding.weight": rows(90)}
    said = f"{n} rows next to embeddings of words may be parts of speech, which are not places"
    assert said in say(tmp_path, words | {"pos_embedding.weight": rows(n)})
    assert said not in say(tmp_path, words | {"position_embedding.weight": rows(n)})
    assert said not in say(tmp_path, {"pos_embed": rows(n), "cls_token": rows(1)})


@pytest.mark.parametrize("file", ["model-rank0", "mp_rank_01/model", "reshard-model_part-0"])
def test_a_file_of_one_rank_is_told(file: str, tmp_path: Path) -> None:
    (told,) = say(tmp_path, {"embed_positions": rows(64)}, file=file)
    assert told.endswith("one rank's part of each tensor, by its name; if so, join the parts first")
    assert say(tmp_path, {"embed_positions": rows(64)}, file="model-00001-of-00002") == []


@pytest.mark.parametrize(
    "table",
    [
        (3e4 * rows(64, 16)).clip(-65504, 65504).astype(np.float16),
        rows(64, 16).clip(-2, 2),
        (0.02 * rows(200, 16)).astype(np.float32).clip(-0.03, 0.03),
    ],
    ids=["float16", "2", "0.03"],
)
def test_numbers_cut_off_at_both_ends_are_told(table: np.ndarray) -> None:
    (told,) = doubt_columns(table.astype(np.float64))
    assert re.match(r"\d+ numbers are (65504|2|0\.02999\d*) or its negative and none is beyond", told)


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64])
def test_sines_and_signs_are_not_cut_off(kind: type) -> None:
    angles = np.arange(512)[:, None] / 1e4 ** (np.arange(32) / 32)
    for table in (np.c_[np.sin(angles), np.cos(angles)], np.sign(rows(64, 16)), rows(64, 16)):
        assert not [*doubt_columns(table.astype(kind).astype(np.float64))]


@pytest.mark.parametrize("start", [0, 3])
@pytest.mark.parametrize(
    ("order", "said"),
    [
        (
            [*range(64)] * 2,
            "row 64 is equal to row 0, which is no neighbour, and 63 more .*: --rows {}:{}$",
        ),
        ([*range(64), *range(5, 20)], "row 64 is equal to row 5, .* and 14 more .*: --rows {}:{}$"),
        (
            [*range(30), 2, *range(30, 64)],
            "row 30 is equal to row 2, which is no neighbour, as .*: cut them out$",
        ),
    ],
)
def test_equal_rows_that_are_no_neighbours_are_told(
    order: list[int], said: str, start: int, tmp_path: Path
) -> None:
    np.save(tmp_path / "wpe.npy", np.r_[rows(start, 16), rows(64, 16)[order]])
    told = read_table(tmp_path / "wpe.npy", None, Asked("square:1x64", f"{start}:")).said
    assert re.match(said.format(start or "", start + 64), told[-1])
    assert not [*doubt_rows(rows(64, 16), "line", [])]


@pytest.mark.parametrize(
    ("start", "end", "said"),
    [
        (128, 512, "without them: --rows :128; them alone: --rows 128:"),
        (0, 100, "without them: --rows 100:; them alone: --rows :100"),
        (100, 200, "without them: cut them out; them alone: --rows 100:200"),
    ],
)
@pytest.mark.parametrize("centred", [False, True])
def test_rows_that_never_left_their_start_are_told(start: int, end: int, said: str, centred: bool) -> None:
    table = np.cos(np.linspace(0, 3, 512)[:, None] * np.arange(1, 33) / 8 + np.arange(32))
    assert not [*doubt_rows(table, "line", [])]
    table[start:end] = 0.02 * rows(end - start, 32)
    (told,) = doubt_rows(table - table.mean(axis=0) * centred * (end - start > 256), "line", [])
    assert told.startswith(f"{end - start} rows, of {start} to {end - 1}, are at most") and told.endswith(
        said
    )


def test_untrained_rows_apart_are_told_and_a_code_for_missing_ones_is_not() -> None:
    table = 0.7 * rows(512, 32)
    table[128:] = 0.02 * rows(384, 32)
    table[3] = table[200]
    table[3, 0] += 0.001
    (told,) = doubt_rows(table, "line", [])
    assert re.match("385 rows, most of 128 to 511, .* --rows :128; them alone: --rows 128:$", told)
    (told,) = doubt_rows(table[np.random.default_rng(0).permutation(512)], "line", [])
    assert re.match("385 rows, of 1 to 510, .*without them: cut them out$", told)
    table = rows(64, 32)
    table[20:40, 3] = 1e20
    assert not [*doubt_rows(table, "line", [])]


def test_few_or_slowly_falling_rows_are_no_untrained_ones() -> None:
    table = rows(512, 32)
    for scale in (
        np.geomspace(1, 1e-4, 512),
        np.r_[9, 9, np.ones(510)],
        np.r_[np.ones(505), np.full(7, 0.01)],
    ):
        assert not [*doubt_rows(table * scale[:, None], "line", [])]

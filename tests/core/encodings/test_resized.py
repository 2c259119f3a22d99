"""Learned tables for other numbers of tokens, against torch's interpolation of images and a naive one."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from hosts import Settings, make_encoding, make_host
from torch import Tensor, nn

from stages import catalogue
from stages.cells.code import ROOT
from stages.core.encodings.interface import DoesNotFit
from stages.core.plain import Encoding
from stages.core.positions.positions import Positions, line_positions
from stages.core.settings.errors import InputError

SHAPES = [(8, 10), (7, 3), (2, 3), (1, 1), (4, 5)]


def fill(rows: int, columns: int) -> Tensor:
    """Place tokens on a grid, row by row."""
    return torch.cartesian_prod(torch.arange(rows), torch.arange(columns)).double()


def on_grid(rows: int, columns: int) -> Positions:
    return Positions(rows * columns, fill(rows, columns).numpy())


def make(positions: Positions, **settings: Any) -> Any:
    return make_encoding("resized", settings, replace(make_host(), positions=positions)).double()


def stretch_image(table: Tensor, trained: tuple[int, int], shape: tuple[int, int]) -> Tensor:
    """Interpolate tables [R, places, d] as images of d channels, as timm does."""
    image = table.mT.reshape(len(table), -1, *trained)
    made = nn.functional.interpolate(image, shape, mode="bicubic", antialias=True)
    return made.flatten(2).mT


@pytest.mark.parametrize("n", [1, 3, 5, 7, 10, 40])
def test_rows_on_a_line_lie_between_trained_ones(n: int) -> None:
    encoding, trained = make(line_positions(n), trained_tokens=5), 5
    for block in range(2):
        rows, found = encoding.tables[:, block].detach(), encoding.table(block)
        for token in range(n):
            place = min(max((token + 0.5) * trained / n - 0.5, 0), trained - 1)
            before = min(int(place), trained - 2)
            share = place - before
            expected = (1 - share) * rows[:, before] + share * rows[:, before + 1]
            torch.testing.assert_close(found[:, token], expected)
        torch.testing.assert_close(found, nn.functional.interpolate(rows.mT, n, mode="linear").mT)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_grid_is_resized_as_an_image_of_many_channels(shape: tuple[int, int]) -> None:
    encoding = make(on_grid(*shape), trained_shape=[4, 5])
    for block in range(2):
        expected = stretch_image(encoding.tables[:, block], (4, 5), shape)
        torch.testing.assert_close(encoding.table(block), expected)


@pytest.mark.parametrize(
    ("positions", "settings"),
    [(line_positions(16), {"trained_tokens": 16}), (on_grid(2, 8), {"trained_shape": [2, 8]})],
)
def test_for_the_trained_tokens_it_is_learned(positions: Positions, settings: Settings) -> None:
    learned = make_encoding("learned")
    with torch.autocast("cpu", torch.bfloat16):
        for block in range(2):
            assert make(positions, **settings).float().table(block).equal(learned.table(block))


@pytest.mark.parametrize(("rows", "columns"), [(2, 8), (5, 6)])
def test_a_cell_has_its_row_in_whatever_order_and_unit_cells_are_given(rows: int, columns: int) -> None:
    straight = make(on_grid(rows, columns), trained_shape=[2, 8]).table(0)
    order = np.random.default_rng(0).permutation(rows * columns)
    moved = fill(rows, columns).numpy()[order] * [0.1, 17.5] - 3
    found = make(Positions(len(order), moved), trained_shape=[2, 8]).table(0)
    torch.testing.assert_close(found, straight[:, order])
    turned = fill(columns, rows).flip(1).numpy()  # column by column
    by_column = straight.unflatten(1, (rows, columns)).transpose(1, 2).flatten(1, 2)
    found = make(Positions(len(turned), turned), trained_shape=[2, 8]).table(0)
    torch.testing.assert_close(found, by_column)
    assert not found.allclose(straight)


def test_parameters_are_those_of_the_trained_places_for_any_tokens() -> None:
    few, many = (make(line_positions(n), trained_tokens=8) for n in (4, 64))
    assert few.tables.equal(many.tables) and few.tables.shape == (2, 2, 8, 12)
    assert not few.table(0).equal(many.table(0)[:, :4])


def test_anybody_may_ask_one_encoding_for_any_tokens() -> None:
    line = Encoding("resized", width=6, heads=1, trained_tokens=8)
    grid = Encoding("resized", width=6, heads=1, trained_shape=[4, 5], places=fill(4, 5))
    with torch.no_grad():
        for encoding in (line, grid):
            (rows,) = encoding.parameters()
            rows.normal_()
        for n in (3, 8, 16):
            expected = nn.functional.interpolate(line.inner.get_parameter("tables")[0].mT, n, mode="linear")
            torch.testing.assert_close(line.table(n), expected[0].T)
        for shape in SHAPES:
            expected = stretch_image(grid.inner.get_parameter("tables")[0], (4, 5), shape)
            torch.testing.assert_close(grid.table(fill(*shape)), expected[0])
    parts = [{"scheme": "resized", "trained_shape": [4, 5]}, {"scheme": "random_fixed"}]
    both = Encoding("combined", width=6, heads=1, parts=parts, places=fill(4, 5))
    assert both.table(fill(2, 3)) is not None
    in_any_unit = Encoding("resized", width=6, heads=1, trained_shape=[4, 5], places=on_grid(4, 5))
    assert in_any_unit.table() is not None
    grid.table(fill(8, 10)).sum().backward()  # type: ignore[union-attr]
    assert rows.grad is not None and rows.grad.all()


def test_a_table_of_more_rows_is_not_cut() -> None:
    encoding: Any = Encoding("resized", width=6, heads=1, trained_tokens=8)
    encoding.inner.tables = nn.Parameter(torch.ones(1, 1, 9, 6))
    with pytest.raises(InputError, match="^resized: a table of 9 rows given, expected 8, one for each"):
        encoding.table(4)


def test_the_example_of_the_readme_resizes_the_table_of_a_vision_transformer() -> None:
    (example,) = re.findall(r"```python\n(def fill.*?)```", (ROOT / catalogue.README).read_text(), re.DOTALL)
    given = torch.randn(1, 1 + 14 * 14, 24)
    names: dict[str, Any] = {"torch": torch, "Encoding": Encoding, "pos_embed": given}
    exec(example, names)
    assert names["pos_embed"].shape == (1, 1 + 24 * 32, 24) and names["pos_embed"][:, 0].equal(given[:, 0])
    torch.testing.assert_close(names["pos_embed"][:, 1:], stretch_image(given[:, 1:], (14, 14), (24, 32)))


GRID = {"trained_shape": [4, 5]}


@pytest.mark.parametrize(
    ("points", "settings", "message"),
    [
        (fill(4, 5)[:-1], GRID, "19 tokens in 4 rows and 5 columns given, expected one in every cell of"),
        (fill(4, 5)[fill(4, 5)[:, 0] != 1], GRID, "15 tokens in 3 rows and 5 columns .* with even steps"),
        (fill(2, 2)[[0, 1, 2, 2]], GRID, "4 tokens in 2 rows and 2 columns given, expected one in every"),
        (torch.rand(9, 2, dtype=torch.float64), GRID, "9 tokens in 9 rows and 9 columns given"),
        (fill(4, 5)[:, :1], GRID, r"coordinates \[n, 1\] given, expected \[n, 2\], row and column, as"),
        (torch.rand(9, 3), GRID, r"coordinates \[n, 3\] given, .* or for a line trained_tokens in its place"),
        (fill(4, 5), {}, r"coordinates given, expected a line of trained_tokens; .* or trained_shape: \["),
        (fill(1, 3)[:, 1:], {}, "coordinates given, expected a line of trained_tokens; give how many"),
    ],
)
def test_tokens_that_fill_no_line_or_grid_are_refused(
    points: Tensor, settings: Settings, message: str
) -> None:
    with pytest.raises(DoesNotFit, match=f"^resized: {message}") as caught:
        Encoding("resized", width=6, heads=1, **{"places": points, **settings})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"trained_tokens": 5, "trained_shape": [4, 5]}, r"^resized: trained_tokens 5 and .* leave train"),
        ({"trained_shape": [4]}, r"trained_shape: \[4\] given, expected two counts, \[rows, columns\]; for"),
        ({"trained_shape": [4, 0]}, "trained_shape.1: 0 given, expected greater than or equal to 1"),
        ({"trained_tokens": 0}, "trained_tokens: 0 given, expected greater than or equal to 1"),
        ({"trained_shape": [4, 4]}, "resized needs coordinates, which these tokens lack"),
    ],
)
def test_settings_that_name_no_places_are_refused(settings: Settings, message: str) -> None:
    with pytest.raises(InputError, match=message):
        make(Positions(16), **settings)

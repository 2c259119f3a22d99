"""Tokens stand anywhere: in a sequence with gaps, at coordinates, in true positions."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
import torch
from hosts import ALONE, Settings
from plain_encodings import WIDTH, N, draw, make

from stages.core import abilities
from stages.core.plain import Encoding
from stages.core.positions.positions import Positions, line_positions
from stages.core.positions.sinusoids import sinusoid
from stages.core.settings.errors import InputError

LINE = np.arange(12.0)[:, None]


@pytest.mark.parametrize(
    ("scheme", "first", "second"),
    [
        ("learned", Positions(5), Positions(12)),
        ("sinusoidal_1d", Positions(1), Positions(12)),
        ("sinusoidal_nd", Positions(12, LINE), Positions(6, LINE.reshape(6, 2))),
        ("sinusoidal_nd", Positions(12, 3 * LINE), Positions(12, 3 * LINE, in_steps=True)),
        (
            "mds",
            Positions(12, distances={"a": abs(LINE - LINE.T), "b": (LINE - LINE.T) ** 2}),
            Positions(12, distances={"b": (LINE - LINE.T) ** 2, "a": abs(LINE - LINE.T)}),
        ),
    ],
)
def test_other_positions_are_never_taken_for_those_before(
    scheme: str, first: Positions, second: Positions
) -> None:
    made = make(scheme, places=12)
    before = made.table(first)
    assert before is not None and len(before) == first.n_tokens
    torch.testing.assert_close(made.table(second), make(scheme, places=12).table(second))
    assert not before.equal(made.table(second))  # type: ignore[arg-type]


def test_matrices_are_made_for_schemes_that_read_them_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of tokens have matrices of gigabytes."""
    by_number, on_points = make("mds", places=N), make("mds", places=LINE)
    torch.testing.assert_close(by_number.table(), make("mds", places=line_positions(N)).table())
    torch.testing.assert_close(pickle.loads(pickle.dumps(on_points)).table(), on_points.table())
    graph = make("laplacian", places=N).table()
    torch.testing.assert_close(graph, make("laplacian", places=line_positions(N)).table())
    for name in ("cdist", "line_positions"):
        monkeypatch.setattr(f"stages.core.places.{name}", lambda *_: pytest.fail("made n x n"))
    for scheme in ("rope", "rope_nd", "shaw", "random_fixed", "t5_bias", "learned"):
        make(scheme, tokens=4096)
    far = np.arange(20_000, 20_000 + N)
    expected = torch.from_numpy(sinusoid(far.astype(np.float64), WIDTH)).float()
    torch.testing.assert_close(make("sinusoidal_1d").float().table(far), expected)
    made, (q, k, _) = make("rope"), draw()
    offset, near = (made.logits(*made.rotate(q, k, places)) for places in (far, N))
    torch.testing.assert_close(offset, near)
    assert make("rope_nd", places=np.indices((90, 90)).reshape(2, -1).T).table() is None


def test_coordinates_of_few_bits_are_read() -> None:
    points = torch.linspace(0, 3, N)[:, None]
    torch.testing.assert_close(
        make("sinusoidal_nd").table(points.bfloat16()),
        make("sinusoidal_nd").table(points.bfloat16().double()),
    )


# settings that decide whether a scheme reads places alone
DECIDING: list[tuple[str, Settings]] = [
    ("rope_scaled", {"factor": 2.0}),
    ("fope", {"trained_tokens": 8}),
    ("random_fixed", {"offset": True}),
]
USUAL: list[tuple[str, Settings]] = [(scheme, {}) for scheme in ALONE if scheme != "connectivity_gradients"]


@pytest.mark.parametrize(("scheme", "settings"), USUAL + DECIDING)
def test_gaps_and_repeats_are_right_or_refused(scheme: str, settings: Settings) -> None:
    """Two documents in one sequence are to be what each is alone."""

    def of_length(n: int) -> Encoding:
        return Encoding(scheme, **abilities.SIZES, tokens=n, **settings)

    made = of_length(N)
    assert abilities.takes_documents(of_length) == made.inner.by_index
    if not made.inner.by_index:
        with pytest.raises(InputError, match="reads tokens as a whole"):
            made.table([0, 1, 0])


@pytest.mark.parametrize(("scheme", "settings"), DECIDING)
def test_settings_decide_whether_places_alone_are_read(scheme: str, settings: Settings) -> None:
    assert make(scheme, settings).inner.by_index != make(scheme).inner.by_index


def read_angles(made: Encoding) -> torch.Tensor:
    """Read the angles [n, pairs] of an encoding at the places that it was made with."""
    with made.at(made.stand(None)) as scheme:
        return scheme.get_buffer("angles")[0]


@pytest.mark.parametrize("scale", [1.0, 0.5, 30.0])
def test_coordinates_are_taken_as_they_are(scale: float) -> None:
    """Patches of 4 rows and 16 columns turn by their rows and columns; half a step is half of one."""
    rows = scale * np.indices((4, 16)).reshape(2, -1).T
    made, table = make("rope_nd", places=rows), make("sinusoidal_nd", places=rows).table()
    assert read_angles(made)[:, [0, 4]].tolist() == rows.tolist()
    assert table is not None
    torch.testing.assert_close(table[:, 0], torch.tensor(rows[:, 0]).sin().to(table.dtype))


def test_a_picture_is_the_same_wherever_it_lies() -> None:
    grid = np.indices((3, 4)).reshape(2, -1).T.astype(float)
    made, (q, k, v) = make("rope_nd"), draw()
    torch.testing.assert_close(made.attend(q, k, v, grid), made.attend(q, k, v, grid + 7))
    assert not torch.allclose(made.attend(q, k, v, grid), made.attend(q, k, v))
    table = make("mds", places=grid).table()
    far = torch.cdist(table, table)  # type: ignore[arg-type]
    torch.testing.assert_close(far / far.max(), torch.cdist(torch.tensor(grid), torch.tensor(grid)) / 13**0.5)


def test_true_positions_are_scaled_unless_they_are_in_steps() -> None:
    rows = np.indices((4, 16)).reshape(2, -1).T.astype(np.float64)
    filled = Positions(64, 2.5 * rows, distances={})  # as the tasks here have them: longest axis 7 steps
    for positions, most in ((filled, 7), (replace(filled, in_steps=True), 37.5)):
        assert read_angles(make("rope_nd", places=positions))[:, 4].max() == most


@pytest.mark.parametrize("scheme", ["sinusoidal_nd", "mds"])
def test_a_table_that_a_user_changes_is_a_users_own(scheme: str) -> None:
    places = np.indices((4, 4)).reshape(2, -1).T.astype(float)
    made = Encoding(scheme, width=WIDTH, heads=2, places=places, seed=0)
    with torch.no_grad():
        first = made.table()
        assert first is not None
        kept = first.clone()
        first.mul_(0.1)
        torch.testing.assert_close(made.table(), kept, atol=0, rtol=0)


def test_positions_that_a_user_changes_later_are_read_as_they_were_given() -> None:
    given = Positions(16, np.indices((4, 4)).reshape(2, -1).T.astype(float))
    made, x = Encoding("rope_nd", width=16, heads=2, places=given), torch.randn(1, 2, 16, 8)
    expected = Encoding("rope_nd", width=16, heads=2, places=replace(given)).rotate(x, x)[0]
    assert given.coordinates is not None
    given.coordinates[:] = 3 * given.coordinates[::-1]
    torch.testing.assert_close(made.rotate(x, x)[0], expected, atol=0, rtol=0)
    assert not torch.equal(made.rotate(x, x, places=given)[0], expected)

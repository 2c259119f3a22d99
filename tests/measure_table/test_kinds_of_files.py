"""One small file of each kind of model, with numbers that are known beforehand."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from measured_files import Arrays, measured

from stages.core.biases import bucket_offsets, window_offsets
from stages.core.encodings.rope_scaled import slow_down
from stages.core.positions.sinusoids import sinusoid
from stages.core.settings.errors import InputError
from stages.measure_table.measure_file import measure_file
from stages.measure_table.tables import Asked

LINE = sinusoid(np.arange(64.0), 16)
VIT = np.vstack([LINE[:1], np.tile(np.indices((8, 8)).reshape(2, -1).T, 8)])[None]  # a class token first
NOISE = np.random.default_rng(0)
T5 = "{}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"
SWIN = "layers.{}.blocks.0.attn.relative_position_bias_table"


def fall(both: bool) -> Any:
    """Make T5's buckets, of which two heads fall with distance, the second four times as fast."""
    steps = bucket_offsets(32, both, 128)
    return np.array([[-abs(steps.get(row, 0)), -4 * abs(steps.get(row, 0))] for row in range(32)])


@pytest.mark.parametrize(
    ("name", "table", "asked"),
    [
        ("wpe.weight", LINE, Asked("line")),  # GPT-2
        ("bert.embeddings.position_embeddings.weight", LINE, Asked("line")),
        ("model.decoder.embed_positions.weight", np.vstack([9 * LINE[:2], LINE]), Asked("line", "2:")),  # OPT
        ("vit.embeddings.position_embeddings", VIT, Asked("square:8x8", "1:")),
    ],
)  # fmt: skip
def test_tables_of_places(name: str, table: Any, asked: Asked, tmp_path: Path) -> None:
    words = {
        "wte.weight": NOISE.normal(size=(100, 16)),
        "h.0.attn.c_attn.weight": NOISE.normal(size=(16, 48)),
    }
    found = measured(tmp_path, {**words, name: table}, asked)
    own = found[(found.of == "table") & found.reference.isin([asked.positions.partition(":")[0], "index"])]
    main = own.set_index(["measure", "reference", "at"]).value
    if asked.positions == "line":
        assert main["procrustes_equal_size", "index", 0] == pytest.approx(0, abs=1e-6)
        assert main["order_right", "index", 0] == 100
    else:
        assert main["alignment", "square", 0] == pytest.approx(1)
        assert main["stress", "square", 0] == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    ("side", "both", "said"),
    [
        (
            "encoder",
            True,
            "before and behind the query, as in an encoder; otherwise: --positions buckets:past",
        ),
        ("decoder", False, "up to the query, as in a decoder; otherwise: --positions buckets:both"),
    ],
)
def test_t5(side: str, both: bool, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = {"shared.weight": NOISE.normal(size=(100, 16))}
    arrays = words | {T5.format(one): fall(one == "encoder") for one in ("encoder", "decoder")}
    with pytest.raises(InputError, match=r"2 tensors of relative positions; name one with --tensor: decoder"):
        measured(tmp_path, arrays, Asked(""))
    average = {f"exp_avg.{T5.format(side)}": fall(both)}
    found = measured(tmp_path, words | average | {T5.format(side): fall(both)}, Asked(""))
    heads = found[found.of == "bias"].pivot(index="measure", columns="head", values="value")
    np.testing.assert_allclose(heads.loc["monotone"], -1)
    np.testing.assert_allclose(heads.loc["slope", ["0", "1", "mean"]], [-1, -4, -2.5], rtol=1e-6)
    if both:
        np.testing.assert_allclose(heads.loc[["symmetric", "by_distance"]], 1)
    else:
        assert set(heads.index) == {"monotone", "slope"}
    chance = found[(found.of == "permuted") & (found.measure == "monotone")].iloc[0]
    assert chance.low < 0 < chance.high
    told = capsys.readouterr().out
    assert said in told and ("left out, as no offset has them: rows 16" in told) == both
    other = Asked("buckets:past" if both else "buckets:both:64")
    measure_file(tmp_path / "model.safetensors", T5.format(side), other, tmp_path / "other")
    assert other.positions in capsys.readouterr().out
    steps = pd.read_csv(tmp_path / "out/biases.csv")
    assert list(steps.columns) == ["offset", "head_0", "head_1", "mean_of_heads"]
    np.testing.assert_allclose(steps.head_0, -steps.offset.abs())


def test_t5x_keeps_heads_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "encoder.relpos_bias.relative_attention_bias"
    for asked in ("", "buckets:both"):
        found = measured(tmp_path, {name: np.hstack([fall(True)] * 4).T}, Asked(asked))
        heads = found[found.of == "bias"].pivot(index="measure", columns="head", values="value")
        np.testing.assert_allclose(heads.loc["monotone"], -1)
        assert heads.loc["slope", "7"] == pytest.approx(-4) and "8" not in heads
        assert "taken as [heads, buckets], as T5X keeps them" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("more", "name"), [(0, SWIN.format(0)), (3, "rel_pos_bias.relative_position_bias_table")]
)
def test_swin_and_beit(more: int, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    window = window_offsets(7, 7)
    table = np.stack([-np.linalg.norm(window, axis=1), window[:, 0] ** 2, window[:, 1]], axis=1)
    found = measured(tmp_path, {name: np.vstack([table, np.ones((more, 3))])}, Asked(""))
    heads = found[found.of == "bias"].pivot(index="measure", columns="head", values="value")
    assert heads.loc["monotone", "0"] == pytest.approx(-1) and heads.loc["by_distance", "0"] == pytest.approx(
        1
    )
    np.testing.assert_allclose(heads.loc["symmetric", ["0", "1", "2"]], [1, 1, -1])
    np.testing.assert_allclose(heads.loc["by_row", ["1", "2"]], [1, 0], atol=1e-9)
    np.testing.assert_allclose(heads.loc["by_column", ["1", "2"]], [0, 1], atol=1e-9)
    told = capsys.readouterr().out
    assert "positions: window:7x7" in told and ("of a class token and left out" in told) == bool(more)


@pytest.mark.parametrize("sides", [(4, 7), (10, 7), (3, 8)])
def test_a_window_whose_sides_were_exchanged_is_said(
    sides: tuple[int, int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    window = window_offsets(*sides)
    table = np.stack([-np.linalg.norm(window, axis=1), window[:, 0] ** 2], axis=1)
    height, width = sides
    for asked in (f"{height}x{width}", f"{width}x{height}"):
        (tmp_path / asked).mkdir()
        measured(tmp_path / asked, {SWIN.format(0): table}, Asked(f"window:{asked}"))
        told = capsys.readouterr().out
        said = f"if sides were exchanged: --positions window:{height}x{width}" in told
        assert said == (asked == f"{width}x{height}")


@pytest.mark.parametrize(
    ("name", "stored", "positions", "slopes"),
    [
        ("alibi_slopes", np.array([0.5, 0.25]), "", [-0.5, -0.25]),
        ("alibi.slopes", np.array([-0.5, -0.25])[:, None, None], "", [-0.5, -0.25]),
        ("attn_bias", np.outer([0.5, 0.25], np.arange(-99, 1))[None, :, None], "", [-0.5, -0.25]),  # MPT
        ("x", np.outer(-np.abs(np.arange(-9, 10)), [1, 2]), "offsets", [-1, -2]),
        ("rel_pos_bias", np.outer(-np.abs(np.arange(-9, 10)), [1, 2]), "", [-1, -2]),
    ],
)  # fmt: skip
def test_slopes_and_lines(
    name: str, stored: Any, positions: str, slopes: list[float], tmp_path: Path
) -> None:
    found = measured(tmp_path, {name: stored}, Asked(positions), name if positions else None)
    own = found[(found.of == "bias") & (found["head"] != "mean")].set_index("measure").value
    np.testing.assert_allclose(own["slope"], slopes, rtol=1e-6)
    np.testing.assert_allclose(own["monotone"], -1)


@pytest.mark.parametrize(
    ("arrays", "tensor", "asked", "said"),
    [
        ({"rel_pos_bias": np.ones((169, 4))}, None, Asked(""), "several things; .* window:7x7 or offsets"),
        # windows of 7 x 14, and of 8 frames of 7 x 7
        ({SWIN.format(0): np.ones((351, 4))}, None, Asked(""), "say which with .*:ROWSxCOLUMNS or off"),
        ({SWIN.format(0): np.ones((2535, 4))}, None, Asked(""), "say which with .*:ROWSxCOLUMNS or off"),
        ({"rel_pos_h": np.ones((27, 64))}, None, Asked(""), "holds relative positions by its name"),
        ({"pos_bias_u": np.ones((12, 64))}, None, Asked(""), "holds relative positions by its name"),
        ({"a": LINE}, None, Asked(""), "nothing says what rows of tensor a are; give --positions"),
        ({"a": LINE}, "a", Asked("offsets"), "64 rows, expected an odd number of offsets"),
        ({"a": LINE}, "a", Asked("window:3x3"), "64 rows, expected 25 for --positions window:3x3"),
        ({"a": LINE}, "a", Asked("buckets:both:16"), "64 rows and 16 as farthest distance, expected"),
        ({"a": LINE}, None, Asked("slopes"), "no tensor for --positions slopes by its name"),
        ({"inv_freq": LINE[:, 0]}, None, Asked(""), "expected 3 or more that fall"),
        ({"inv_freq": LINE[:, 0]}, None, Asked("", "1:"), "--rows is of tables of places"),
    ],
)  # fmt: skip
def test_what_is_not_clear_is_refused(
    arrays: Arrays, tensor: str | None, asked: Asked, said: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=said):
        measured(tmp_path, arrays, asked, tensor)


def test_a_table_of_places_comes_first(tmp_path: Path) -> None:
    """Biases and frequencies beside it are not taken."""
    beside = {"rotary_emb.inv_freq": slow_down("ntk", 32, 2048, 1), T5.format("encoder"): fall(True)}
    found = measured(tmp_path, beside | {"pos_embed": LINE}, Asked("line"))
    assert set(found.of) == {"table", "random", "permuted"}

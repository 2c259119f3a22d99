import re
from pathlib import Path

import numpy as np
import pytest

from stages.core.settings.errors import InputError
from stages.files import artifacts
from stages.measure_table.tables import read_table

FINE = np.random.default_rng(1).normal(size=(12, 3))
NAN = np.where(np.arange(36).reshape(12, 3) == 16, np.nan, FINE)


def refuse(tmp_path: Path, said: str, asked: str | None = None, /, **arrays: np.ndarray) -> None:
    artifacts.write_arrays(tmp_path / "a.npz", arrays)
    with pytest.raises(InputError, match=re.escape(said)) as caught:
        read_table(tmp_path / "a.npz", asked)
    assert "a.npz" in str(caught.value) and "; " in str(caught.value) and "\n" not in str(caught.value)


def test_the_one_whose_name_speaks_of_positions_is_taken(tmp_path: Path) -> None:
    artifacts.write_arrays(tmp_path / "a.npz", {"head": FINE, "Pos_Embed": FINE + 1, "pos_bias": FINE[0]})
    name, table, *_ = read_table(tmp_path / "a.npz", None)
    assert name == "Pos_Embed" and np.array_equal(table, FINE + 1)
    name, table, *_ = read_table(tmp_path / "a.npz", "head")
    assert name == "head" and np.array_equal(table, FINE)


def test_of_several_one_must_be_chosen(tmp_path: Path) -> None:
    artifacts.write_arrays(tmp_path / "a.npz", {"a": FINE, "b": FINE[None], "c": FINE[0]})
    with pytest.raises(
        InputError,
        match=r"no name speaks of .*, and 2 tensors .*: a \[12, 3\] float64, b \[1, 12, 3\] float64$",
    ):
        read_table(tmp_path / "a.npz", None)


@pytest.mark.parametrize(
    ("places", "other"), [("positions", "embeddings"), ("pos", "x"), ("pe", "token_emb")]
)
def test_coordinates_beside_a_table_are_asked_about(places: str, other: str, tmp_path: Path) -> None:
    table = np.random.default_rng(2).normal(size=(12, 16))
    refuse(
        tmp_path,
        f"tensor {places} [12, 3] may be coordinates of the rows of {other} [12, 16]",
        **{places: FINE, other: table},
    )
    assert read_table(tmp_path / "a.npz", other).rows.shape == (12, 16)
    artifacts.write_arrays(tmp_path / "a.npz", {places: FINE, other: table[:11]})
    assert read_table(tmp_path / "a.npz", None).name == places


def test_tokens_and_layers_are_never_taken_for_positions(tmp_path: Path) -> None:
    refuse(tmp_path, "no name speaks of positions, as in rotary models;", **{"embed_tokens.weight": FINE})
    rotary = {"embed_tokens.weight": FINE, "layers.0.q_proj.weight": FINE, "norm.weight": FINE[0]}
    refuse(tmp_path, "no name speaks of positions, as in rotary models;", **rotary)
    artifacts.write_arrays(tmp_path / "a.npz", rotary | {"unnamed": FINE})
    found = read_table(tmp_path / "a.npz", None)
    assert found.name == "unnamed"
    assert found.said == ["no name speaks of positions: is each row of unnamed a place?"]
    assert read_table(tmp_path / "a.npz", "embed_tokens.weight").said[0].startswith("no name speaks")


def test_the_name_of_a_file_of_one_table_is_no_name_of_a_layer(tmp_path: Path) -> None:
    for name in ("v2", "attention_table", "transposed", "sin_table"):
        np.save(tmp_path / f"{name}.npy", FINE.T.repeat(4, axis=0))
        found = read_table(tmp_path / f"{name}.npy", None)
        assert found.said[0] == f"no name speaks of positions: is each row of {name} a place?"
    np.save(tmp_path / "spatial_pos_embed.npy", FINE)
    (told,) = read_table(tmp_path / "spatial_pos_embed.npy", None).said
    assert told.startswith("spatial_pos_embed by its name is a factor")


def test_what_is_no_table_is_refused(tmp_path: Path) -> None:
    refuse(tmp_path, "tensor positon not found, expected position;", "positon", position=FINE, head=FINE)
    refuse(
        tmp_path,
        "no table in it, expected floats in rows and columns, 10 rows or more",
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


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("exp_avg.pos_embed", "gradients or what an optimizer keeps"),
        ("state.pos_embed.momentum_buffer", "gradients or what an optimizer keeps"),
        ("bert/embeddings/position_embeddings/adam_m", "gradients or what an optimizer keeps"),
        ("opt_state/0/mu/params/pos_embedding", "gradients or what an optimizer keeps"),
        ("pos_embed.grad", "gradients or what an optimizer keeps"),
        ("rotary_emb.cos_pos", "angles of rotary positions"),
        ("rope.pos_embed", "angles of rotary positions"),
        ("wpe.lora_embedding_B.default", "a change by LoRA"),
        ("pos_tagger.pos.weight", "parts of speech"),
    ],
)
def test_what_is_no_weight_is_taken_only_where_it_is_named(name: str, what: str, tmp_path: Path) -> None:
    refuse(
        tmp_path, f"tensor {name} by its name holds {what}, expected a table of positions;", **{name: FINE}
    )
    found = read_table(tmp_path / "a.npz", name)
    assert np.array_equal(found.rows, FINE) and found.said == [f"{name} by its name holds {what}"]
    artifacts.write_arrays(tmp_path / "a.npz", {name: FINE, "model.pos_embed": FINE + 1})
    assert read_table(tmp_path / "a.npz", None).name == "model.pos_embed"


def test_angles_and_averages_are_never_proposed(tmp_path: Path) -> None:
    refuse(tmp_path, "no name speaks of positions, as in rotary models;", cos_cached=FINE)
    averages = {
        "optimizer.state.0.exp_avg": FINE,
        "freqs_cos": FINE,
        "rotary_emb.sin_cached": FINE[None, None],
    }
    refuse(tmp_path, "no name speaks of positions, as in rotary models;", **averages)
    assert read_table(tmp_path / "a.npz", "freqs_cos").said == [
        "freqs_cos by its name holds angles of rotary positions"
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("pos_embed_h", "pos_embed_w"),
        ("x.pos_embed_window", "x.pos_embed"),
        ("row_embed.weight", "col_embed.weight"),
        ("p.position_embedding.row_embeddings.weight", "p.position_embedding.column_embeddings.weight"),
        ("e.position_embeddings.weights.0", "e.position_embeddings.weights.1"),
    ],
)
def test_factors_of_a_table_are_measured_only_where_one_is_named(
    one: str, other: str, tmp_path: Path
) -> None:
    refuse(
        tmp_path, "2 tensors may be the table, or factors of one by their names", **{one: FINE, other: FINE}
    )
    for name in (one, other):
        told = " ".join(read_table(tmp_path / "a.npz", name).said)
        assert f"by its name is a factor, one axis or window of positions: rows of {name} are a part" in told
    refuse(tmp_path, f"tensor {one} by its name is a factor,", **{one: FINE, other: FINE[:9]})
    refuse(tmp_path, f"tensor {one} by its name is a factor,", **{one: FINE})


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("pos_embed", "time_embed"),
        ("image.pos_embed", "image.blocks.0.rel_pos_h"),
        ("backbone.W_pos", "spatial.head"),
        ("spatial_transformer.pos_embed", "h.0.attn"),
        ("pos_embed.w", "pos_embed.b"),
    ],
)
def test_tables_of_their_own_are_no_factors(name: str, other: str, tmp_path: Path) -> None:
    artifacts.write_arrays(tmp_path / "a.npz", {name: FINE, other: FINE[:9]})
    assert read_table(tmp_path / "a.npz", None)[::2] == (name, [])


def test_scales_of_a_table_in_whole_numbers_are_refused(tmp_path: Path) -> None:
    whole = np.rint(20 * FINE).astype(np.int8)
    arrays: dict[str, np.ndarray] = {"wpe.weight": whole, "wpe.weight_scale": np.ones((12, 1), np.float32)}
    said = "tensor wpe.weight_scale by its name scales wpe.weight, which holds int8; save the table"
    refuse(tmp_path, said, None, **arrays)
    artifacts.write_arrays(tmp_path / "a.npz", {"wpe.weight": FINE, "other.weight": whole})
    assert read_table(tmp_path / "a.npz", None).name == "wpe.weight"

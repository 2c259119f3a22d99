import re
from pathlib import Path

import numpy as np
import pytest
from made_rows import rows

from stages.core.positions.positions import Matrix
from stages.core.settings.errors import InputError
from stages.files import artifacts
from stages.measure_table.name_doubts import name_relative
from stages.measure_table.tables import Asked, read_table


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

import pytest

from stages.measure_table.names import is_class_token, is_other, is_relative, speaks_of_positions


@pytest.mark.parametrize(
    "name",
    [
        "pos_embed",
        "vit.PosEmbed.weight",
        "model.decoder.embed_positions.weight",
        "transformer.wpe.weight",
        "bert.embeddings.position_embeddings.weight",
        "pos_encoder.pe",
        "decoder/position_encodings/encodings",
        "positional_embedding",
        "pos_embedding.1",
    ],
)
def test_names_of_tables(name: str) -> None:
    assert speaks_of_positions(name) and not is_relative(name) and not is_other(name)


@pytest.mark.parametrize(
    "name",
    [
        "layers.0.blocks.1.attn.relative_position_bias_table",
        "h.0.SelfAttention.relative_attention_bias.weight",
        "deberta.encoder.rel_embeddings.weight",
        "attn.rel_pos_h",
        "attention_biases",
        "enc.emb_rel_k",
        "attention.distance_embedding.weight",
        "blocks.0.pos_bias",
    ],
)
def test_names_of_relative_positions(name: str) -> None:
    assert is_relative(name) and not speaks_of_positions(name)


@pytest.mark.parametrize(
    "name",
    [
        "model.embed_tokens.weight",
        "layers.0.self_attn.q_proj.weight",
        "transformer.wte.weight",
        "lm_head.weight",
        "bert.embeddings.word_embeddings.weight",
        "layers.0.linear_pos.weight",
        "pos_q_proj.weight",
        "mlp.fc1.weight",
    ],
)
def test_names_of_tokens_and_layers(name: str) -> None:
    assert is_other(name) and not speaks_of_positions(name) and not is_relative(name)


def test_words_that_only_begin_so_are_no_positions() -> None:
    for name in ("post_norm.scale", "composition_table", "transpose", "table", "onnx::Reshape_1962"):
        assert not speaks_of_positions(name) and not is_relative(name)
    assert not is_other("table") and not is_other("onnx::Reshape_1962")


def test_tokens_beside_places() -> None:
    assert all(map(is_class_token, ("cls_token", "vision_model.embeddings.class_embedding", "dist_token")))
    assert not any(map(is_class_token, ("cls.predictions.bias", "token_embedding", "class_embed.weight")))

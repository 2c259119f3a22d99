"""Tell from a tensor's name whether it is of positions, relative positions or another part of a model."""

import re

PARAMETERS = {"weight", "kernel", "embedding", "embeddings", "emb", "table", ""}  # end names of any kind
POSITIONS = {"pos", "position", "positions", "positional", "abspos", "wpe", "pe"}
RELATIVE = {"relative", "rel", "relpos", "rpb", "rpe", "alibi", "distance"}
BIASES = {"bias", "biases"}  # of attention, where a name speaks of that or of positions
TOKENS = {"token", "tokens", "tok", "word", "words", "wte", "vocab", "vocabulary", "lm", "shared", "type"}
LAYERS = {"attn", "attention", "query", "key", "value", "q", "k", "v", "o", "qkv", "proj", "projection"}
LAYERS |= {"mlp", "ffn", "ff", "fc", "wi", "wo", "dense", "linear", "conv", "gate", "up", "down", "lora"}
LAYERS |= {"norm", "layernorm", "ln", "head", "classifier", "expert", "experts", "router"}


def speaks_of_positions(name: str) -> bool:
    """Tell names of places from all others, also from those of layers that take them, such as `pos_proj`."""
    known = [word for word in split(name) if word in POSITIONS or word.startswith(("posemb", "posenc"))]
    modules = [words for part in re.split("[./]", name) if (words := set(split(part)) - PARAMETERS)]
    return bool(known) and LAYERS.isdisjoint(*modules[-1:]) and not is_relative(name)


def is_relative(name: str) -> bool:
    """Tell names of distances between two places, as in Swin, T5, BEiT and DeBERTa."""
    words = split(name)
    is_bias = not BIASES.isdisjoint(words) and not (POSITIONS | {"attention", "attn"}).isdisjoint(words)
    return is_bias or not RELATIVE.isdisjoint(words)


def is_other(name: str) -> bool:
    """Tell names of tokens' embeddings and of layers."""
    return not speaks_of_positions(name) and not (TOKENS | LAYERS).isdisjoint(split(name))


def is_class_token(name: str) -> bool:
    """Tell names of tokens beside those that have a place: `cls_token`, `class_embedding`."""
    words = set(split(name))
    return not words.isdisjoint({"cls", "class", "dist"}) and not words.isdisjoint({"token", "embedding"})


def split(name: str) -> list[str]:
    """Split a name into words in small letters, numbers behind them left out: posEmbed2 is `pos`, `embed`."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    return [word.rstrip("0123456789") for word in re.findall(r"[a-z0-9]+", apart)]

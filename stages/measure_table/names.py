"""Tell from a tensor's name whether it is of positions, relative positions or another part of a model."""

import re
from collections.abc import Iterable

PARAMETERS = {"weight", "kernel", "embedding", "embeddings", "emb", "table", ""}  # end names of any kind
POSITIONS = {"pos", "position", "positions", "positional", "abspos", "wpe", "pe"}
RELATIVE = {"relative", "rel", "relpos", "rpb", "rpe", "alibi", "distance"}
BIASES = {"bias", "biases"}  # of attention, where a name speaks of that or of positions
TOKENS = {"token", "tokens", "tok", "word", "words", "wte", "vocab", "vocabulary", "lm", "shared", "type"}
LAYERS = {"attn", "attention", "query", "key", "value", "q", "k", "v", "o", "qkv", "proj", "projection"}
LAYERS |= {"mlp", "ffn", "ff", "fc", "wi", "wo", "dense", "linear", "conv", "gate", "up", "down", "lora"}
LAYERS |= {"norm", "layernorm", "ln", "head", "classifier", "expert", "experts", "router"}
WORDS = {"word", "words", "wte", "vocab", "vocabulary"}  # of models of text
CHANGES = {"lora", "dora", "adapter", "scale", "scales", "zero", "zeros", "mask", "delta", "g", "original"}
OTHERS = {  # than weights: what words in a name say, whatever else is in it
    "gradients or what an optimizer keeps": r"(exp|square) avg|exp inf|momentum( buffer|$)|grads?|gradients?|"
    r"optim\w*|opt state|adam\w*",
    "angles of rotary positions": r"rotary|ro ?pe|freqs?|(cos|sin)( cached?|$)",
    "a change by LoRA": r"[dl]ora",
    "parts of speech": r"tags?|tagger|[ux]pos|part of speech",
}
FACTORS = r"\b(rows?|cols?|columns?|height|width|win|window|spatial|axial|horizontal|vertical)\b"


def speaks_of_positions(name: str) -> bool:
    """Tell names of places from all others, also from those of layers that take them, such as `pos_proj`."""
    modules = [words for part in re.split("[./]", name) if (words := set(split(part)) - PARAMETERS)]
    known = bool(cut(name)[1]) and LAYERS.isdisjoint(*modules[-1:])
    return known and not is_relative(name) and name_other(name) is None


def name_other(name: str) -> str | None:
    """Name what a tensor holds in place of a model's weights; None where its name says nothing of that."""
    words = " ".join(split(name))
    return next((what for what, pattern in OTHERS.items() if re.search(rf"\b({pattern})\b", words)), None)


def cut(name: str) -> tuple[str, str, str]:
    """Cut a name around the first module that speaks of positions, "" where none does."""
    modules = re.split("([./])", name)
    for at, module in enumerate(modules):
        if any(word in POSITIONS or word.startswith(("posemb", "posenc")) for word in split(module)):
            return "".join(modules[:at]), module, "".join(modules[at + 1 :])
    return "", "", name


def is_part(name: str) -> bool:
    """Tell names of one axis or window: pos_embed_h, row_embed, Reformer's position_embeddings.weights.0."""
    _, module, rest = cut(name)
    own, behind = " ".join(split(module)), " ".join(split(rest))
    if not module:
        return re.search(rf"{FACTORS} emb\w*( weight)?$", behind) is not None
    # no w before, as PatchTST calls its table W_pos
    letter = re.search(r"(^[hxyz]|(?<= )[hwxyz])\b", own)
    found = letter or re.search(FACTORS, f"{own} {behind}") or re.match(r"\.weights\.\d+$", rest)
    return found is not None and not is_relative(name)


def find_parts(name: str, names: Iterable[str]) -> list[str]:
    """Find tensors of one axis or window of the positions that a tensor is of, itself first."""
    where, module, _ = cut(name)
    beside = [other for other in names if module and cut(other)[0] == where and cut(other)[1]]
    return list(filter(is_part, (name, *beside)))


def is_change(name: str, other: str) -> bool:
    """Tell names of what changes a stored table before a model adds it: LoRA, scales, masks, lengths."""
    where, module, _ = cut(name)
    stem = where + module
    return bool(module) and other.startswith(stem) and not CHANGES.isdisjoint(split(other[len(stem) :]))


def is_relative(name: str) -> bool:
    """Tell names of distances between two places, as in Swin, T5, BEiT and DeBERTa."""
    words = split(name)
    is_bias = not BIASES.isdisjoint(words) and not (POSITIONS | {"attention", "attn"}).isdisjoint(words)
    return is_bias or not RELATIVE.isdisjoint(words)


def is_other(name: str) -> bool:
    """Tell names of tokens' embeddings, of layers and of what is no weight."""
    apart = name_other(name) is not None or not (TOKENS | LAYERS).isdisjoint(split(name))
    return apart and not speaks_of_positions(name)


def is_class_token(name: str) -> bool:
    """Tell names of tokens beside those that have a place: `cls_token`, `class_embedding`."""
    words = set(split(name))
    return not words.isdisjoint({"cls", "class", "dist"}) and not words.isdisjoint({"token", "embedding"})


def split(name: str) -> list[str]:
    """Split a name into words in small letters, numbers behind them left out: posEmbed2 is `pos`, `embed`."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    return [word.rstrip("0123456789") for word in re.findall(r"[a-z0-9]+", apart)]

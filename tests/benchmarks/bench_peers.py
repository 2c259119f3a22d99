"""Compare `posenc` with other packages: equal outputs, and seconds of a call taken in turn.

Needs `pip install x-transformers rotary-embedding-torch positional-encodings`.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import date
from functools import partial
from math import sqrt
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import NamedTuple

import torch
from positional_encodings.torch_encodings import PositionalEncoding1D, PositionalEncoding2D
from rotary_embedding_torch import RotaryEmbedding as Rotary
from torch import Tensor
from x_transformers import x_transformers as peer

from stages.cells.made_by import name_processor
from stages.core.plain import Encoding

BATCH, HEADS, TOKENS, HEAD_WIDTH = 4, 8, 1024, 64
WIDTH = HEADS * HEAD_WIDTH
ROUNDS = 11
README = Path(__file__).with_name("README.md")
BEGIN, END = "<!-- peers: begin -->", "<!-- peers: end -->"


class Pair(NamedTuple):
    """Hold one scheme in both packages: calls that return the same numbers."""

    scheme: str
    package: str
    ours: Callable[[], Tensor]
    theirs: Callable[[], Tensor]


def make(scheme: str, **settings: object) -> Encoding:
    return Encoding(scheme, width=WIDTH, heads=HEADS, tokens=TOKENS, seed=0, **settings)  # type: ignore[arg-type]


def pairs() -> Iterator[Pair]:
    torch.manual_seed(0)
    q, k = torch.randn(2, BATCH, HEADS, TOKENS, HEAD_WIDTH)
    x = torch.randn(BATCH, TOKENS, WIDTH)
    yield from rotations(q, k)
    yield from biases(q, k, x)
    yield from tables(x)


def rotations(q: Tensor, k: Tensor) -> Iterator[Pair]:
    rope, scaled = make("rope"), make("rope_scaled", method="interpolation", factor=4.0)
    for ours, theirs in ((rope, Rotary(HEAD_WIDTH)), (scaled, Rotary(HEAD_WIDTH, interpolate_factor=4.0))):
        yield Pair(
            str(ours.configuration.scheme),
            "rotary-embedding-torch",
            partial(turn, ours.rotate, q, k),
            partial(turn, partial(map, theirs.rotate_queries_or_keys), (q, k)),
        )
    other = peer.RotaryEmbedding(HEAD_WIDTH)

    def rotate() -> tuple[Tensor, ...]:
        angles = other.forward_from_seq_len(TOKENS)[0]
        return tuple(peer.apply_rotary_pos_emb(each, angles) for each in (q, k))

    yield Pair("rope", "x-transformers", partial(turn, rope.rotate, q, k), partial(turn, rotate))


def turn(rotate: Callable[..., Iterable[Tensor]], *given: object) -> Tensor:
    """Stack rotated queries and keys."""
    return torch.stack([*rotate(*given)])


def biases(q: Tensor, k: Tensor, x: Tensor) -> Iterator[Pair]:
    alibi, their_alibi = make("alibi"), peer.AlibiPositionalBias(HEADS)
    yield Pair("alibi", "x-transformers", lambda: read(alibi.bias(q, k)), lambda: their_alibi(TOKENS, TOKENS))
    t5, their_t5 = make("t5_bias"), peer.RelativePositionBias(1.0, heads=HEADS)
    their_t5.relative_attention_bias.weight.data = t5.get_parameter("inner.bias").data[0].T.clone()
    yield Pair("t5_bias", "x-transformers", lambda: read(t5.bias(q, k)), lambda: their_t5(TOKENS, TOKENS))
    fox, their_fox = make("fox"), peer.DataDependentAlibi(WIDTH, HEADS)
    gates = their_fox.to_forget_gates[0]
    gates.weight.data, gates.bias.data = (
        fox.get_parameter(f"inner.{name}").data[0, 0].t().clone() for name in ("weight", "bias")
    )
    yield Pair("fox", "x-transformers", lambda: read(fox.bias(q, k, x=x)), lambda: their_fox(x))
    cope, their_cope = make("cope", max_position=63), peer.CoPE(HEAD_WIDTH, HEADS, 64)
    drawn = torch.randn(64, HEAD_WIDTH)
    cope.get_parameter("inner.vectors").data[0, 0] = their_cope.pos_emb.data[:] = drawn
    hidden = torch.ones(TOKENS, TOKENS, dtype=torch.bool).triu(1)

    def their_bias() -> Tensor:
        # as its attention does: masked logits in, what is added out
        return their_cope(q, (q @ k.mT).masked_fill(hidden, -torch.inf))  # type: ignore[no-any-return]

    yield Pair("cope", "x-transformers", lambda: read(cope.bias(q, k)), their_bias)
    pope, their_pope = make("pope"), peer.PolarEmbedding(HEAD_WIDTH, HEADS)

    def their_logits() -> Tensor:
        frequencies, lag = their_pope(torch.arange(TOKENS))
        turned = peer.apply_polar_pos_emb(q, frequencies), peer.apply_polar_pos_emb(k, frequencies + lag)
        return turned[0] @ turned[1].mT / sqrt(HEAD_WIDTH)  # type: ignore[no-any-return]

    yield Pair("pope", "x-transformers", lambda: pope.logits(q, k), their_logits)


def tables(x: Tensor) -> Iterator[Pair]:
    line, their_line = make("sinusoidal_1d"), PositionalEncoding1D(WIDTH)
    yield Pair(
        "sinusoidal_1d", "positional-encodings", lambda: read(line.table(TOKENS)), lambda: their_line(x)[0]
    )
    side = int(sqrt(TOKENS))
    places = torch.cartesian_prod(*[torch.arange(float(side))] * 2)
    square = make("sinusoidal_nd", places=places)
    their_square, image = PositionalEncoding2D(WIDTH), x.view(BATCH, side, side, WIDTH)
    yield Pair(
        "sinusoidal_nd",
        "positional-encodings",
        lambda: read(square.table()),
        lambda: their_square(image)[0].reshape(TOKENS, WIDTH),
    )


def read(given: Tensor | None) -> Tensor:
    assert given is not None
    return given


def compare(pair: Pair) -> tuple[float, float, float]:
    """Return the largest difference over the largest number, and median ms of a call of each package."""
    ours, theirs = torch.broadcast_tensors(pair.ours(), pair.theirs())  # type: ignore[no-untyped-call]
    seen = ours.isfinite()  # what a causal scheme hides, the others leave to the caller's mask
    difference = float((ours[seen] - theirs[seen]).abs().max() / theirs[seen].abs().max())
    took = [(seconds(pair.ours), seconds(pair.theirs)) for _ in range(ROUNDS)]
    mine, other = (1000 * median(times) for times in zip(*took, strict=True))
    return difference, mine, other


def seconds(call: Callable[[], Tensor]) -> float:
    start = perf_counter()
    call()
    return perf_counter() - start


def write_lines() -> Iterator[str]:
    """Write a table, a line for each pair."""
    yield "| scheme | package | difference | ms | theirs, ms | times as long |"
    yield "|---" * 6 + "|"
    with torch.no_grad():
        for pair in pairs():
            difference, mine, other = compare(pair)
            named = f"| `{pair.scheme}` | {pair.package} | {difference:.0e}"
            yield f"{named} | {mine:.1f} | {other:.1f} | {mine / other:.2f} |"


def main() -> None:
    cpu = f"{name_processor()}, {torch.get_num_threads()} cores, torch {torch.__version__}, {date.today()}."
    lines = [cpu, ""]
    for line in write_lines():
        print(line, flush=True)
        lines.append(line)
    before, _, rest = README.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    README.write_text("\n".join([before + BEGIN, *lines, END + after]), encoding="utf-8")


if __name__ == "__main__":
    main()

"""Attention with made-up tokens, which keeps what an encoding answers on the way."""

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, nn

from stages.core.encodings.interface import Host, PositionalEncoding
from stages.core.model.attention import Normaliser, attend
from stages.core.model.transformer import condition
from stages.core.randomness.initial import normal, uniform
from stages.core.randomness.streams import Replicates
from stages.core.settings.errors import InputError
from stages.trial.answers import NORMALISED, Answers

AXES = {
    "table": "R or 1, n, d",
    "condition": "R, B, n, d",
    "rotate": "R, B, H, m, d_h",
    "logits": "R, B, H, m, n",
    "weights": "R, B, H, m, n",
    "mix_values": "R, B, H, m, d_v",
}  # R seeds, B examples, H heads, m of n tokens: stages/core/encodings/interface.py
SEEDS = Replicates(0, "trial", range(3))
EXAMPLES = 2
MOVE = 0.2  # of parameters: what starts at 0, or equal in every seed, then acts and differs
Tokens = list[Tensor]  # q, k [R, B, H, n, d_h], v [R, B, H, n, d_v] and x [R, B, n, d]


class Listener(PositionalEncoding):
    """Passes the calls of attention on to an encoding; InputError for an answer of another form."""

    def __init__(self, scheme: str, encoding: PositionalEncoding, host: Host, normaliser: Normaliser) -> None:
        super().__init__()
        self.scheme, self.encoding, self.host, self.normaliser = scheme, encoding, host, normaliser
        self.causal = encoding.causal
        self.answers: Answers = {}

    def forward(self, q: Tensor, k: Tensor, v: Tensor, x: Tensor, rows: slice) -> Answers:
        """Return the answers for queries and keys [R, B, H, n, d_h], values and x to the tokens `rows`."""
        self.answers = {}
        replicas, n, width = len(q), self.host.positions.n_tokens, self.host.width
        for block in range(self.host.n_tables):
            table = self.ask("table", block)
            if table is not None:
                like = q.new_zeros(1 if len(table) == 1 else replicas, n, width)
                self._keep(block, "table", table, like)
                self.answers[block, "table"] = table.expand(replicas, -1, -1)
        first = min(place for place in range(x.shape[2]) if place not in self.host.markers)
        for block in range(self.host.blocks):
            conditioned = condition(self, block, x, range(first, first + n))
            self.answers[block, "condition"] = conditioned[:, :, None, rows]  # as of one head
            # a method may change what it is given in place
            attend(q[..., rows, :].clone(), k.clone(), v, x.clone(), rows, self.normaliser, self, block)
        return self.answers

    def condition(self, block: int, x: Tensor) -> Tensor:
        return self._keep(block, "condition", self.ask("condition", block, x.clone()), x)

    def rotate(self, block: int, q: Tensor, k: Tensor, rows: slice) -> tuple[Tensor, Tensor]:
        both = self.ask("rotate", block, q, k, rows)
        if not isinstance(both, tuple) or len(both) != 2:
            raise InputError(
                f"{self.scheme}: rotate returned {type(both).__name__}, expected queries and keys; write "
                "return q, k"
            )
        queries, keys = zip(both, (q, k), strict=True)
        return self._keep(block, "rotate", *queries), self._keep(block, "rotate", *keys)

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, x: Tensor, rows: slice) -> Tensor:
        return self._keep(block, "logits", self.ask("logits", block, logits, q, k, x, rows), logits)

    def weights(self, block: int, weights: Tensor, rows: slice) -> Tensor:
        self.answers[block, NORMALISED] = weights
        return self._keep(block, "weights", self.ask("weights", block, weights, rows), weights)

    def mix_values(self, block: int, mixed: Tensor, weights: Tensor, rows: slice) -> Tensor:
        return self._keep(block, "mix_values", self.ask("mix_values", block, mixed, weights, rows), mixed)

    def ask(self, method: str, *given: Any) -> Any:
        """Call a method of the encoding; a subclass may listen in."""
        return getattr(self.encoding, method)(*given)

    def _keep(self, block: int, method: str, answer: Tensor, like: Tensor) -> Tensor:
        """Keep the answer and return it; of `rotate` keep that for queries, which comes first."""
        expected = describe(like)
        given = describe(answer) if isinstance(answer, Tensor) else type(answer).__name__
        if given != expected:
            raise InputError(
                f"{self.scheme}: {method} returned {given}, expected {expected}, [{AXES[method]}]"
            )
        self.answers.setdefault((block, method), answer)
        return answer


def draw_tokens(host: Host, seeds: Replicates = SEEDS) -> Tokens:
    heads, n = (EXAMPLES, host.heads), len(host.indices)
    widths = {"q": host.head_width, "k": host.head_width, "v": host.value_width}
    sizes = {name: (*heads, n, width) for name, width in widths.items()} | {"x": (EXAMPLES, n, host.width)}
    return [normal(1, size, seeds.generators(name)) for name, size in sizes.items()]


@torch.no_grad()
def move(parameters: Iterable[tuple[str, nn.Parameter]], by: float) -> None:
    """Move every entry farther from 0, by half to all of `by`: those that start equal then differ."""
    for name, parameter in parameters:
        drawn = uniform(1, parameter.shape[1:], SEEDS.generators("moved", name))
        sign = torch.where(parameter == 0, drawn, parameter).sign()
        parameter.add_(by / 2 * sign * (1 + drawn.abs()))


def describe(tensor: Tensor) -> str:
    return f"{str(tensor.dtype).removeprefix('torch.')} of shape {tuple(tensor.shape)}"

"""An encoding for anybody's PyTorch attention: one model, tensors [B, H, n, d_h], any number of tokens.

>>> rope = Encoding("rope", width=64, heads=4)
>>> q, k = rope.rotate(q, k)
>>> y = scaled_dot_product_attention(q, k, v, attn_mask=rope.bias(q, k))
"""

from collections.abc import Callable, Hashable
from functools import cached_property
from math import sqrt
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from .encodings.interface import Host, PositionalEncoding, adds_tables, create, resolve
from .model.attention import ALL, attend
from .model.normalisers import softmax
from .places import Places, Standing, bend, read_places
from .positions.offsets import mask_future
from .settings.configuration import Configuration
from .settings.errors import InputError

ScoreMod = Callable[[Tensor, Tensor, Tensor, Tensor, Tensor], Tensor]
KEPT = 8  # arrangements of tokens for which the scheme stays made
FEW = 6  # tokens that show whether a bias depends on queries and keys
ROUNDING = 1e-6  # of biases in float64, some of which are made in float32


class Encoding(nn.Module):
    """A scheme's tables, rotations and biases for tokens in any places.

    scheme: a file name in `encodings/`; `settings`: arguments of its class. width: d, of all heads together.
    tokens: the most tokens in a row for which parameters of single tokens and offsets are made.

    places, an argument of every method: of the n keys, whose last m are the queries. See `read_places`; by
    default 0..n-1, or the `places` given here. A scheme `by_index` takes gaps and repeats in a sequence.

    Raises InputError for an unknown scheme or setting, and for places that the scheme cannot read.
    """

    def __init__(
        self,
        scheme: str,
        *,
        width: int,
        heads: int,
        blocks: int = 1,
        tokens: int = 512,
        places: Places | None = None,
        seed: int = 0,
        **settings: Any,
    ) -> None:
        super().__init__()
        if width % heads:
            raise InputError(f"width {width} given, expected a multiple of the {heads} heads")
        self.configuration = Configuration("posenc", scheme, settings)
        self.kind = resolve(self.configuration)[0]
        self.width, self.heads, self.blocks, self.seed = width, heads, blocks, seed
        self.usual = None if places is None else read_places(places)
        most = self.usual or read_places(tokens)
        self.inner = self.make(most, seed)
        drawn = differ(self.inner, self.make(most, seed + 1)) - differ(
            self.inner, self.make(bend(most), seed)
        )
        self.kept = [*dict(self.inner.named_parameters()), *drawn]  # what is no function of the places
        self.made: dict[Hashable, PositionalEncoding] = {}

    def table(self, places: Places | None = None, block: int = 0) -> Tensor | None:
        """Return the table [n, d] to add to tokens before a block; None where nothing is added."""
        standing = self.stand(places)
        if not (self.kind.by_index and standing.indices):
            table = self.at(standing).table(block)
            return None if table is None else table[0]
        table = self.at(read_places(max(standing.indices) + 1)).table(block)
        return None if table is None else table[0, list(standing.indices)]

    def rotate(
        self, q: Tensor, k: Tensor, places: Places | None = None, block: int = 0
    ) -> tuple[Tensor, Tensor]:
        """Rotate queries [B, H, m, d_h] and keys [B, H, n, d_h]."""
        made = self.at(self.stand(places, k))
        return made.rotate(block, q[None], last(q, k))[0], made.rotate(block, k[None], ALL)[0]

    def logits(self, q: Tensor, k: Tensor, places: Places | None = None, block: int = 0) -> Tensor:
        """Return attention logits [B, H, m, n] of rotated queries and keys, -inf where they are masked."""
        made, rows = self.at(self.stand(places, k)), last(q, k)
        logits = made.logits(block, multiply(q, k)[None], q[None], k[None], rows)[0]
        return mask_future(logits, rows) if made.causal else logits

    def bias(self, q: Tensor, k: Tensor, places: Places | None = None, block: int = 0) -> Tensor | None:
        """Return what is added to q k^T / sqrt(d_h), the `attn_mask` of scaled_dot_product_attention.

        None where nothing is added. Raises InputError for a scheme that acts behind the normaliser.
        """
        if late := [name for name in ("weights", "mix_values") if self.overrides(name)]:
            raise InputError(
                f"{self.configuration.scheme} acts in {' and '.join(late)}, behind softmax, where "
                "scaled_dot_product_attention takes nothing; call attend(q, k, v) instead"
            )
        if not (self.overrides("logits") or self.kind.causal):
            return None
        if self.reads_content:
            return self.logits(q, k, places, block) - multiply(q, k)
        made, rows = self.at(self.stand(places, k)), last(q, k)
        nothing = q.new_zeros(()).expand(1, 1, *q.shape[1:-1], k.shape[-2])  # one bias for all examples
        bias = made.logits(block, nothing, q[None, :1] * 0, k[None, :1] * 0, rows)[0]
        return mask_future(bias, rows) if made.causal else bias

    def score_mod(self, places: Places | None = None, block: int = 0) -> ScoreMod:
        """Return the `score_mod` of flex_attention for n tokens, each a query and a key.

        Raises InputError for a scheme whose bias depends on queries and keys.
        """
        if self.reads_content:
            raise InputError(
                f"{self.configuration.scheme}: its bias depends on queries and keys, expected one of places "
                "alone; give bias(q, k) to scaled_dot_product_attention"
            )
        n = self.stand(places).n
        like = next(self.parameters(), torch.zeros((), device=self.device))
        q = like.new_zeros(1, self.heads, n, self.width // self.heads)
        added = self.bias(q, q, places, block)
        if added is None:
            return lambda score, b, h, i, j: score
        biases = added[0].expand(self.heads, n, n)
        return lambda score, b, h, i, j: score + biases[h, i, j]

    def attend(self, q: Tensor, k: Tensor, v: Tensor, places: Places | None = None, block: int = 0) -> Tensor:
        """Attend by softmax to values [B, H, n, d_h] -> [B, H, m, d_h], wherever the scheme acts."""
        made = self.at(self.stand(places, k))
        return attend(q[None], k[None], v[None], last(q, k), softmax, made, block)[0]

    @cached_property
    def reads_content(self) -> bool:
        """Tell whether biases depend on queries and keys, by trying a few with drawn parameters."""
        standing, generator = self.usual or read_places(FEW), torch.Generator().manual_seed(self.seed)
        with torch.no_grad():
            trial = self.make(standing, self.seed).double()
            for parameter in trial.parameters():  # some start at 0
                parameter.normal_(generator=generator)
            size = (3, 2, 1, 1, self.heads, standing.n, self.width // self.heads)
            qk = torch.randn(size, dtype=torch.float64, generator=generator)
            biases = [trial.logits(0, multiply(q, k), q, k, ALL) - multiply(q, k) for q, k in qk]
        return not all(torch.allclose(biases[0], other, atol=ROUNDING) for other in biases[1:])

    @property
    def device(self) -> torch.device | None:
        """Name where parameters and buffers are; None without any."""
        return next((value.device for value in self.state_dict().values()), None)

    def overrides(self, method: str) -> bool:
        """Tell whether the scheme acts in a method."""
        return getattr(self.kind, method) is not getattr(PositionalEncoding, method)

    def stand(self, places: Places | None, k: Tensor | None = None) -> Standing:
        """Read places, of as many tokens as there are keys. Raises InputError where the scheme cannot."""
        if places is None and self.usual is None and k is None:
            raise InputError("no places given, expected how many tokens there are, or where they stand")
        standing = read_places(places) if places is not None else self.usual
        standing = standing or read_places(k.shape[-2] if k is not None else 0)
        if k is not None and standing.n != k.shape[-2]:
            raise InputError(f"places of {standing.n} tokens given, expected those of {k.shape[-2]} keys")
        if not (self.kind.by_index or standing.unbroken):
            raise InputError(
                f"{self.configuration.scheme} reads tokens as a whole, but places with gaps given, "
                "expected all keys from 0 on; queries are the last of them"
            )
        return standing

    def at(self, standing: Standing) -> PositionalEncoding:
        """Return the scheme for these tokens, with the parameters of this module."""
        if standing.key not in self.made:
            self.made = dict(list(self.made.items())[1 - KEPT :])
            self.made[standing.key] = self.make(standing, self.seed)
        made, own = self.made[standing.key], tensors(self.inner)
        for name, value in made.named_buffers():  # never coarser than made: bfloat16 blurs angles
            wide = torch.promote_types(value.dtype, own[name].dtype)
            put(made, name, value.to(own[name].device, wide if value.is_floating_point() else value.dtype))
        for name in self.kept:
            size = tensors(made)[name].shape
            if any(few > many for few, many in zip(size, own[name].shape, strict=True)):
                raise InputError(
                    f"{self.configuration.scheme}: {standing.n} tokens given, more than its {name} are for; "
                    "make it with more, such as tokens=4096"
                )
            put(made, name, self.inner.cut(own[name], size))
        return made

    def make(self, standing: Standing, seed: int) -> PositionalEncoding:
        """Make the scheme for these tokens."""
        head, n = self.width // self.heads, standing.n
        sizes = (self.blocks, self.width, self.heads, head, head)
        indices = standing.indices or tuple(range(n))
        tables = self.blocks if adds_tables(self.kind) else 0
        host = Host(standing.positions, [np.random.default_rng(seed)], *sizes, indices, tables)
        return create(self.configuration, host)


def multiply(q: Tensor, k: Tensor) -> Tensor:
    """Return content logits q k^T / sqrt(d_h) [..., m, n]."""
    return q @ k.transpose(-1, -2) / sqrt(q.shape[-1])


def last(q: Tensor, k: Tensor) -> slice:
    """Return the places among n keys of m queries, the last ones."""
    return slice(k.shape[-2] - q.shape[-2], k.shape[-2])


def tensors(module: nn.Module) -> dict[str, Tensor]:
    """Return a module's parameters and buffers by name."""
    return {**dict(module.named_parameters()), **dict(module.named_buffers())}


def differ(module: nn.Module, other: nn.Module) -> set[str]:
    """Name the buffers in which two modules differ."""
    return {name for name, value in module.named_buffers() if not value.equal(other.get_buffer(name))}


def put(module: nn.Module, name: str, value: Tensor) -> None:
    """Put a tensor, which may carry gradients elsewhere, in the place of a parameter or buffer."""
    path, _, leaf = name.rpartition(".")
    owner = module.get_submodule(path)
    owner._parameters.pop(leaf, None)
    owner._buffers[leaf] = value

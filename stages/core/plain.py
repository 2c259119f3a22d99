"""An encoding for anybody's PyTorch attention: one model, tensors [B, H, n, d_h], any number of tokens.

>>> rope = Encoding("rope", width=64, heads=4)
>>> q, k = rope.rotate(q, k)
>>> y = scaled_dot_product_attention(q, k, v, attn_mask=rope.bias(q, k))
"""

from collections.abc import Callable

import torch
from torch import Tensor

from .anywhere import Anywhere
from .model.attention import attend
from .model.normalisers import softmax
from .places import Places, read_places
from .positions.offsets import mask_future
from .precision import coarse, fine, multiply, spread
from .settings.errors import InputError

ScoreMod = Callable[[Tensor, Tensor, Tensor, Tensor, Tensor], Tensor]


class Encoding(Anywhere):
    """A scheme's tables, rotations and biases for tokens in any places, computed in float32 or finer.

    It is made as `Anywhere` says. Every method takes places: of the n keys, whose last m are the queries. See
    `read_places`; by default 0..n-1, or the `places` that it was made with. x [B, n, d], the tokens that q
    and k are made of, is for schemes that read them, such as `fox`. Each head of keys and values may serve
    several of queries: k and v may have fewer heads, of which H is a multiple.
    """

    def table(self, places: Places | None = None, block: int = 0) -> Tensor | None:
        """Return the table [n, d] to add to tokens before a block; None where nothing is added."""
        standing = self.stand(places)
        longest = read_places(max(standing.indices) + 1) if standing.indices else standing
        with self.at(longest, block) as made:
            table = made.table(block)
        if table is None:
            return None
        # a copy, also of all rows: the scheme keeps its own
        table = table[0, list(standing.indices)] if standing.indices else table[0].clone()
        return table.to(next(self.parameters(), table).dtype)

    def condition(self, x: Tensor, places: Places | None = None, block: int = 0) -> Tensor:
        """Change tokens [B, n, d] before a block, with its table added; they come back as they go on."""
        if x.dim() != 3 or x.shape[-1] != self.width:
            raise InputError(
                f"tokens {tuple(x.shape)} given, expected [B, n, {self.width}]; give all of them"
            )
        with self.at(self.stand(places, x), block) as made:
            return coarse(made.condition(block, fine(x)[None])[0], x)

    def rotate(
        self, q: Tensor, k: Tensor, places: Places | None = None, block: int = 0
    ) -> tuple[Tensor, Tensor]:
        """Rotate queries [B, H, m, d_h] and keys [B, H, n, d_h].

        Keys of fewer heads come back as such, or as H where each head turns its own way, as in `rope_mixed`.
        """
        rows = self.last(q, k)
        if k.shape[1] < self.heads and not self.turns_alike:
            k = spread(k, self.heads)
        with self.at(self.stand(places, k), block) as made:
            queries, keys = made.rotate(block, fine(q)[None], fine(k)[None], rows)
        return coarse(queries[0], q), coarse(keys[0], k)

    def logits(
        self,
        q: Tensor,
        k: Tensor,
        places: Places | None = None,
        block: int = 0,
        *,
        x: Tensor | None = None,
    ) -> Tensor:
        """Return attention logits [B, H, m, n] of rotated queries and keys, -inf where they are masked."""
        rows, tokens, q, k = self.last(q, k), self.tokens(x, k, block), fine(q), spread(fine(k), self.heads)
        with self.at(self.stand(places, k), block) as made:
            logits = made.logits(block, multiply(q, k)[None], q[None], k[None], tokens, rows)[0]
        return mask_future(logits, rows) if self.inner.causal else logits

    def bias(
        self,
        q: Tensor,
        k: Tensor,
        places: Places | None = None,
        block: int = 0,
        *,
        x: Tensor | None = None,
    ) -> Tensor | None:
        """Return what is added to q k^T / sqrt(d_h), the `attn_mask` of scaled_dot_product_attention.

        None where nothing is added. Raises InputError for a scheme that acts behind the normaliser.
        """
        if late := [name for name in ("weights", "mix_values") if self.overrides(name)]:
            unrotated = ", with q and k as they are before rotate" * self.overrides("rotate")
            raise InputError(
                f"{self.configuration.scheme} acts in {' and '.join(late)}, behind softmax, where "
                f"scaled_dot_product_attention takes nothing; call attend(q, k, v) instead{unrotated}"
            )
        if not (self.overrides("logits") or self.inner.causal):
            return None
        if block in self.reads_queries:
            with torch.autocast(self.seed.device.type, enabled=False):
                content = multiply(fine(q), spread(fine(k), self.heads))
            return (self.logits(q, k, places, block, x=x) - content).to(q.dtype)
        if block not in self.reads_tokens:  # one bias for all examples
            q, k, x = q[:1], k[:1], None
        rows, tokens = self.last(q, k), self.tokens(x, k, block)
        few, seen = fine(q)[None] * 0, spread(fine(k), self.heads)[None] * 0
        nothing = few.new_zeros(()).expand(*few.shape[:-1], k.shape[-2])
        with self.at(self.stand(places, k), block) as made:
            bias = made.logits(block, nothing, few, seen, tokens, rows)[0]
        return (mask_future(bias, rows) if self.inner.causal else bias).to(q.dtype)

    def score_mod(self, places: Places | None = None, block: int = 0) -> ScoreMod:
        """Return the `score_mod` of flex_attention for n tokens, each a query and a key.

        Its biases are of the parameters as they are now: make another in each forward pass. One that is
        called after parameters changed, or were replaced, raises InputError. Flex_attention calls it
        only as it is traced: what was traced before goes on with old biases, as no trace sees such changes.
        Raises InputError for a scheme whose bias depends on queries and keys.
        """
        if block in self.reads_content:
            raise InputError(
                f"{self.configuration.scheme}: its bias depends on queries and keys or tokens, expected one "
                "of places alone; give bias(q, k) to scaled_dot_product_attention"
            )
        n, like = self.stand(places).n, next(self.parameters(), torch.zeros((), device=self.seed.device))
        q = like.new_zeros(1, self.heads, n, self.head_width)
        added = self.bias(q, q, places, block)
        if added is None:
            return lambda score, b, h, i, j: score
        biases, known = added[0].expand(self.heads, n, n), self.copy_parameters()

        @torch.compiler.assume_constant_result  # type: ignore[untyped-decorator]  # no trace sees changes
        def check_parameters() -> None:
            if not all(map(torch.equal, self.parameters(), known)):
                raise InputError(
                    f"{self.configuration.scheme}: a score_mod of former parameters is called, expected one "
                    "of those as they are; call score_mod in each forward pass"
                )

        def add(score: Tensor, b: Tensor, h: Tensor, i: Tensor, j: Tensor) -> Tensor:
            check_parameters()
            return score + biases[h, i, j]

        return add

    def copy_parameters(self) -> list[Tensor]:
        """Copy the parameters as they are: fused optimisers leave no other trace of a step."""
        return [each.detach().clone() for each in self.parameters()]

    def attend(
        self,
        q: Tensor,
        k: Tensor,
        v: Tensor,
        places: Places | None = None,
        block: int = 0,
        *,
        x: Tensor | None = None,
    ) -> Tensor:
        """Attend by softmax to values [B, H, n, d_h] -> [B, H, m, d_h], wherever the scheme acts.

        It rotates q and k itself: give them as they are before `rotate`. Tokens see later ones, unless the
        scheme is causal or was made with mask="causal".
        """
        rows, tokens, queries = self.last(q, k), self.tokens(x, k, block), fine(q)[None]
        keys, values = (spread(fine(part), self.heads)[None] for part in (k, v))
        with self.at(self.stand(places, k), block) as made:
            mixed = attend(queries, keys, values, tokens, rows, softmax, made, block)
        return mixed[0].to(v.dtype)

    def tokens(self, x: Tensor | None, k: Tensor, block: int) -> Tensor:
        """Return tokens [1, B, n, d] that keys are made of; where none are read, zeros do.

        Raises InputError for those of another form, and for a scheme that needs them.
        """
        size = (len(k), k.shape[-2], self.width)
        if x is None and block not in self.reads_tokens:
            return k.new_zeros(()).expand(1, *size)
        if x is None or x.shape != size:
            given = "no x" if x is None else f"x of shape {tuple(x.shape)}"
            raise InputError(
                f"{self.configuration.scheme}: {given} given, expected tokens {size} that queries and keys "
                "are made of; give x=x, as attention gets it"
            )
        return fine(x)[None]

    def last(self, q: Tensor, k: Tensor) -> slice:
        """Return the places of queries among the keys. Raises InputError for tensors of another form."""
        m, n = q.shape[-2], k.shape[-2]
        formed = q.dim() == k.dim() == 4 and q.shape[1] == self.heads and self.heads % k.shape[1] == 0
        if not (formed and q.shape[-1] == k.shape[-1] == self.head_width and m <= n):
            expected = f"[B, {self.heads}, m, {self.head_width}] and [B, heads, n, {self.head_width}]"
            raise InputError(
                f"queries {tuple(q.shape)} and keys {tuple(k.shape)} given, expected {expected}, m <= n, as "
                "queries are the last of the keys; transpose them, or make it with other heads or head_width"
            )
        return slice(n - m, n)

"""A scheme with one set of parameters, made again for tokens in any places."""

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from functools import cached_property
from threading import current_thread
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor, nn

from .dependence import biases_differ, draw_parameters, turns_alike
from .encodings.interface import Host, PositionalEncoding
from .encodings.lookup.resolve import acts_in, adds_tables, create
from .named_tensors import differ, find, find_encoding, put, refuse_set, take_out
from .places import Places, Points, Standing, Unread, bend, read_places
from .precision import fine, usual_defaults
from .settings.checking import check
from .settings.configuration import Architecture, Configuration
from .settings.errors import InputError

KEPT = 8  # arrangements of tokens for which the scheme stays made
FEW = 6  # tokens that show whether a bias depends on queries and keys


class Anywhere(nn.Module):
    """A scheme for one model.

    scheme: a file name in `encodings/`; `settings`: arguments of its class. width: d, of all heads together.
    head_width: d_h; None: width / heads. tokens: the most tokens in a row for which parameters of single
    tokens and offsets are made. places: that are meant where a method is given none. seed: of what is drawn;
    None: from torch's own generator. mask: "causal" hides later tokens, as a few schemes do themselves.

    Raises InputError for an unknown scheme or setting, and for places that the scheme cannot read.
    """

    seed: Tensor
    like: Tensor  # of the device and kind of number that the module was moved to

    def __init__(
        self,
        scheme: str,
        *,
        width: int,
        heads: int,
        head_width: int | None = None,
        blocks: int = 1,
        tokens: int = 512,
        places: Places | None = None,
        seed: int | None = None,
        mask: Literal["none", "causal"] = "none",
        **settings: Any,
    ) -> None:
        super().__init__()
        if head_width is None and width % heads:
            raise InputError(f"width {width} given, expected a multiple of the {heads} heads, or head_width")
        architecture = check(Architecture, {"mask": mask}, "posenc")
        self.configuration = Configuration("posenc", scheme, settings, architecture)
        self.methods = acts_in(self.configuration)
        self.width, self.heads, self.blocks = width, heads, blocks
        self.head_width = head_width or width // heads
        drawn = int(torch.randint(2**31, (), device="cpu")) if seed is None else seed
        self.register_buffer("seed", torch.tensor(drawn, device="cpu"))
        most = read_places(tokens if places is None else places)
        self.inner = self.make(most, drawn)
        self.usual = None if places is None else self.stand(places)
        by_seed = differ(self.inner, self.make(most, drawn + 1))
        # tokens are moved only if need be: elsewhere they may fit the scheme no more
        drawn_alone = by_seed and by_seed - differ(self.inner, self.make(bend(most), drawn))
        self.kept = [*dict(self.inner.named_parameters()), *drawn_alone]
        # made again for tokens in their places: here an edit of them would be without effect
        take_out(self.inner, dict(self.inner.named_buffers()).keys() - drawn_alone)
        self.register_buffer("like", torch.empty(0, dtype=torch.float32, device="cpu"), persistent=False)
        self.made: dict[Hashable, PositionalEncoding] = {}
        if (device := torch.get_default_device()).type not in ("cpu", "meta"):
            self.to(device)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out what is made again: its tensors carry gradients and cannot be copied."""
        return {**self.__dict__, "made": {}}

    def stand(self, places: Places | None, k: Tensor | None = None) -> Standing:
        """Read places, of as many tokens as there are keys. Raises InputError where the scheme cannot."""
        if places is not None:
            standing = read_places(places)
        elif self.usual is not None:
            standing = self.usual
        elif k is not None:
            standing = read_places(k.shape[-2])
        else:
            raise InputError("no places given, expected how many tokens there are, or where they stand")
        if k is not None and standing.n != k.shape[-2]:
            raise InputError(f"places of {standing.n} tokens given, expected those of {k.shape[-2]} keys")
        scheme = self.configuration.scheme
        if not (self.inner.by_index or standing.unbroken):
            raise InputError(
                f"{scheme} reads tokens as a whole, but places with gaps given, expected all keys from 0 on; "
                "queries are the last of them"
            )
        return standing

    @contextmanager
    def at(self, standing: Standing, block: int = 0) -> Iterator[PositionalEncoding]:
        """Give the scheme for these tokens, with the parameters of this module, in float32 or finer."""
        if not 0 <= block < self.blocks:
            raise InputError(f"block {block} given, expected one of {self.blocks}; make it with more blocks")
        made = self.find_made(standing)
        for name in self.kept:
            put(made, name, self.cut(name, find(made, name).shape, standing.n))
        with torch.autocast(self.seed.device.type, enabled=False):
            yield made

    def find_made(self, standing: Standing) -> PositionalEncoding:
        """Find the scheme as made for these tokens before, else make it; with buffers on this device."""
        thread = current_thread().ident  # which changes tensors of its own alone
        key = standing.key, int(self.seed), thread
        with torch.inference_mode(False):  # what is kept may be trained with later
            made = self.made.get(key)
            if made is None:
                made = self.make(standing, int(self.seed))
                self.made = {**dict(list(self.made.items())[1 - KEPT :]), key: made}
            for name, value in [*made.named_buffers()]:
                if name in self.kept:
                    continue
                refuse_set(self.inner, name)
                # never coarser than made: bfloat16 blurs angles
                wide = torch.promote_types(value.dtype, self.like.dtype)
                put(made, name, value.to(self.like.device, wide if value.is_floating_point() else None))
        return made

    def cut(self, name: str, size: torch.Size, n: int) -> Tensor:
        """Cut what is kept by this name to its size for n tokens. Raises InputError where it is too small."""
        scheme, value = self.configuration.scheme, fine(find(self.inner, name))
        if len(size) != value.dim():
            raise InputError(
                f"{scheme}: {name} of shape {tuple(value.shape)} given, expected {len(size)} axes, as in "
                f"{tuple(size)}; write a table [n, d] into the last two by copy_, or make it with places= of "
                "as many axes"
            )
        if any(map(int.__gt__, size, value.shape)):
            raise InputError(
                f"{scheme}: {n} tokens given, more than its {name} {tuple(value.shape)} are for; make it "
                "with more, such as tokens=4096, or with places="
            )
        return find_encoding(self.inner, name).cut(value, size)

    def make(self, standing: Standing, seed: int) -> PositionalEncoding:
        """Make the scheme for these tokens. Raises InputError where it reads none of coordinates given."""
        with usual_defaults():
            made = create(self.configuration, self.host(standing, seed))
        if isinstance(standing.whole, Points) and not standing.whole.seen:
            scheme = self.configuration.scheme
            instead = "whole numbers [n]; give one axis of them" if made.by_index else f"{standing.n} alone"
            raise InputError(
                f"{scheme} counts along a sequence, but coordinates given, expected {instead}, or take a "
                "scheme of coordinates, such as rope_nd"
            )
        return made

    def host(self, standing: Standing, seed: int) -> Host:
        """Say what the scheme is made for."""
        sizes = (self.blocks, self.width, self.heads, self.head_width, self.head_width)
        tables = self.blocks if adds_tables(self.configuration) else 0
        indices = standing.indices or tuple(range(standing.n))
        by_index = hasattr(self, "inner") and self.inner.by_index
        positions = Unread.of(str(self.configuration.scheme), standing.n) if by_index else standing.positions
        return Host(positions, [np.random.default_rng(seed)], *sizes, indices, tables)

    @property
    def reads_content(self) -> set[int]:
        """List the blocks whose biases depend on queries and keys or on tokens."""
        return self.reads_tokens | self.reads_queries

    @cached_property
    def reads_queries(self) -> set[int]:
        """List the blocks whose biases depend on queries and keys."""
        return biases_differ(*self.make_trial(), queries=3, tokens=1)

    @cached_property
    def reads_tokens(self) -> set[int]:
        """List the blocks whose biases depend on the tokens that queries and keys are made of."""
        return biases_differ(*self.make_trial(), queries=1, tokens=3)

    @cached_property
    def turns_alike(self) -> bool:
        """Tell whether a key is rotated alike in every head."""
        return turns_alike(*self.make_trial())

    def make_trial(self) -> tuple[PositionalEncoding, Host]:
        """Make the scheme with drawn parameters for a few tokens, or those that are meant."""
        standing = self.usual or read_places(FEW)
        return draw_parameters(self.make(standing, 0)), self.host(standing, 0)

    def overrides(self, method: str) -> bool:
        """Tell whether the scheme acts in a method."""
        return method in self.methods

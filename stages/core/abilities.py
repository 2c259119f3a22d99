"""Try what an encoding can do beyond the sequence that it was made for; every answer comes from numbers."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.utils._python_dispatch import TorchDispatchMode

from .plain import Encoding
from .settings.errors import InputError

N, MORE, DOCUMENTS, HEADS, HEAD = 12, 20, (5, 7), 4, 8
SIZES: dict[str, Any] = {"width": HEADS * HEAD, "heads": HEADS}
SPREAD = 0.3  # standard deviation of all parameters, so that those that start at a constant act too
ROUNDING = 1e-6  # of values about 1

Make = Callable[[int], Encoding]  # for so many tokens


def draw(n: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Draw queries, keys, values [1, H, n, d_h], tokens [1, n, d]: the first are the same whatever n is."""
    values = torch.from_numpy(np.random.default_rng(0).normal(size=(MORE, 4, 1, HEADS, HEAD)))
    q, k, v, x = values[:n].permute(1, 2, 3, 0, 4)
    return q, k, v, x.transpose(1, 2).flatten(2)


def prepare(make: Make, n: int = MORE) -> Encoding:
    """Make an encoding whose every parameter is drawn."""
    encoding = make(n).double()
    generator = torch.Generator().manual_seed(0)
    for parameter in encoding.parameters():
        nn.init.normal_(parameter, std=SPREAD, generator=generator)
    return encoding


def equal(one: Tensor | None, other: Tensor | None) -> bool:
    """Compare two results, of which both may be none."""
    if one is None or other is None:
        return one is other
    return one.shape == other.shape and torch.allclose(one, other, atol=ROUNDING, rtol=ROUNDING)


def tell_apart(make: Make) -> int:
    """Count how many of N equal tokens get an output of their own, in one attention (the position probe)."""
    encoding = prepare(make, N)
    one, *weights = torch.from_numpy(np.random.default_rng(1).normal(size=(4, HEADS * HEAD, HEADS * HEAD)))
    x = one[:1].expand(N, -1)
    table = encoding.table(N)
    x = encoding.condition((x if table is None else x + table)[None])[0]
    q, k, v = ((x @ weight / weight.shape[0]).view(1, N, HEADS, HEAD).transpose(1, 2) for weight in weights)
    rows = encoding.attend(q, k, v, x=x[None]).transpose(1, 2).reshape(N, -1)
    return len(torch.unique((rows / ROUNDING).round(), dim=0))


def takes_lengths(make: Make) -> bool:
    """Tell whether the first N of MORE tokens are treated as N tokens alone are."""
    encoding, (q, k, _, x) = prepare(make), draw(MORE)
    many, few = encoding.table(MORE), encoding.table(N)
    turned = encoding.rotate(q, k)
    first = [part[..., :N, :] for part in turned]
    alone = encoding.rotate(q[..., :N, :], k[..., :N, :])
    logits = encoding.logits(*turned, x=x)[..., :N, :N]
    same = equal(many if many is None else many[:N], few) and all(map(equal, first, alone))
    same &= equal(encoding.condition(x)[:, :N], encoding.condition(x[:, :N]))
    return same and equal(logits, encoding.logits(*alone, x=x[:, :N]))


def takes_documents(make: Make) -> bool:
    """Tell whether two documents packed into a sequence, each from place 0 on, are as each is alone."""
    encoding, (q, k, _, x) = prepare(make), draw(sum(DOCUMENTS))
    places = [place for length in DOCUMENTS for place in range(length)]
    try:
        table, conditioned = encoding.table(places), encoding.condition(x, places)
        packed = encoding.logits(*encoding.rotate(q, k, places), places, x=x)
    except InputError:
        return False
    same, start = True, 0
    for length in DOCUMENTS:
        part = slice(start, start + length)
        alone = encoding.logits(*encoding.rotate(q[..., part, :], k[..., part, :]), x=x[:, part])
        same &= equal(packed[..., part, part], alone)
        same &= equal(table if table is None else table[part], encoding.table(length))
        same &= equal(conditioned[:, part], encoding.condition(x[:, part]))
        start += length
    return same


def takes_steps(make: Make) -> bool:
    """Tell whether keys kept from earlier steps give, step by step, what the whole sequence gives."""
    encoding, (q, k, _, x) = prepare(make), draw(N)
    whole, cache = encoding.rotate(q, k), k[..., :0, :]
    logits, table, same = encoding.logits(*whole, x=x), encoding.table(N), True
    conditioned = encoding.condition(x)
    try:
        for step in range(N):
            query, key = q[..., step : step + 1, :], k[..., step : step + 1, :]
            if encoding.overrides("rotate"):
                query, key = encoding.rotate(query, key, [step])
            cache = torch.cat([cache, key], dim=-2)
            now = encoding.logits(query, cache, x=x[:, : step + 1])
            same &= equal(now, logits[..., step : step + 1, : step + 1])
            so_far = encoding.table(step + 1)
            same &= equal(so_far, table if table is None else table[: step + 1])
            same &= equal(encoding.condition(x[:, : step + 1]), conditioned[:, : step + 1])
    except InputError:
        return False
    return same


def find_door(make: Make) -> str:
    """Name the least that attention must offer: a score_mod, an attn_mask, nothing, or all of `attend`."""
    encoding, (q, k, _, x) = prepare(make, N), draw(N)
    try:
        if encoding.bias(q, k, x=x) is None:
            return ""
        encoding.score_mod(N)
        return "score_mod"
    except InputError:
        late = any(map(encoding.overrides, ("weights", "mix_values")))
        return "attend" if late else "attn_mask"


def count_parameters(make: Make) -> int:
    """Count the trained numbers of one block of N tokens."""
    return sum(parameter.numel() for parameter in make(N).parameters())


def count_values(make: Make) -> int:
    """Count the values that one attention of MORE tokens computes, of which each is written to memory."""
    encoding, (q, k, v, x) = prepare(make), draw(MORE)
    encoding.attend(q, k, v, x=x)  # makes what depends on places alone
    counter = Counter()  # type: ignore[no-untyped-call]
    with counter:
        encoding.attend(q, k, v, x=x)
    return counter.values


class Counter(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Count values in the results of operations, but for views of what they were given."""

    values: int = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **kwargs or {})
        shared = {one.untyped_storage().data_ptr() for one in args if isinstance(one, Tensor)}
        if isinstance(result, Tensor) and result.untyped_storage().data_ptr() not in shared:
            self.values += int(result.numel())
        return result

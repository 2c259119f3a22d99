"""Tokens that a loss asks for: in each example its own, as many in all of them."""

from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable


class Asked(NamedTuple):
    """Name m of n tokens that are asked for, in each of B examples.

    rows [R, B * m]: their places among a replica's B * n tokens. places [R, B * n]: the place of each token
    among those that are asked for, B * m for all others.
    """

    rows: Tensor
    places: Tensor

    def of(self, replicas: slice) -> "Asked":
        """Return the part of some replicas."""
        return Asked(self.rows[replicas], self.places[replicas])

    def take(self, x: Tensor) -> Tensor:
        """Take the vectors of the tokens that are asked for, x [R, B, n, d] -> [R, B, m, d]."""
        replicas, batch, _, width = x.shape
        taken = Take.apply(x.flatten(1, 2), self.rows, self.places)  # type: ignore[no-untyped-call]
        return torch.as_tensor(taken).view(replicas, batch, -1, width)


Rows = slice | Asked  # tokens: the same in each example, or its own


def pick(x: Tensor, rows: Rows) -> Tensor:
    """Pick the m tokens `rows` of x [R, B, n, d] -> [R, B, m, d]."""
    return x[:, :, rows] if isinstance(rows, slice) else rows.take(x)


def ask(hidden: Tensor) -> Asked:
    """List the tokens that are marked in `hidden` [R, B, n], as many in each example."""
    marked = hidden.flatten(1)
    rows = marked.nonzero()[:, 1].view(len(marked), -1)
    places = torch.where(marked, marked.cumsum(1) - 1, rows.shape[1])
    return Asked(rows, places)


class Take(torch.autograd.Function):
    """Take rows of x [R, M, d]. Its gradient is taken likewise, which is faster than adding row to row."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, rows: Tensor, places: Tensor) -> Tensor:
        ctx.save_for_backward(places)
        return take_rows(x, rows)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None, None]:
        (places,) = ctx.saved_tensors
        return take_rows(torch.nn.functional.pad(gradient, (0, 0, 0, 1)), places), None, None


def take_rows(x: Tensor, rows: Tensor) -> Tensor:
    """Take rows [R, K] of each replica's x [R, M, d] -> [R, K, d]."""
    replicas, most, width = x.shape
    first = torch.arange(0, replicas * most, most, device=x.device)
    return x.reshape(-1, width).index_select(0, (rows + first[:, None]).flatten()).view(replicas, -1, width)

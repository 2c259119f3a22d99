"""The published model as it is usually written in PyTorch, one seed at a time.

`published` is how its authors run it: a DataLoader, blocks recomputed in the backward pass. The other way is
what a user would write for speed: data in memory, nothing recomputed.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn, split
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, TensorDataset

from stages.core.settings.sizes import Model
from stages.tasks.bases.masked import MaskedRegression
from stages.tasks.grid.task import Grid


class Block(nn.Module):
    """A post-norm block with its own learned table."""

    def __init__(self, sizes: Model, n_tokens: int) -> None:
        super().__init__()
        width = sizes.width
        self.table = nn.Parameter(torch.randn(n_tokens, width))
        self.attention = nn.MultiheadAttention(width, sizes.heads, batch_first=True)
        self.norm_attention, self.norm_mlp = nn.LayerNorm(width), nn.LayerNorm(width)
        hidden = sizes.expansion * width
        self.mlp = nn.Sequential(nn.Linear(width, hidden), nn.GELU(), nn.Linear(hidden, width), nn.GELU())

    def forward(self, x: Tensor) -> Tensor:
        x = x + self.table
        x = self.norm_attention(x + self.attention(x, x, x, need_weights=False)[0])
        return torch.as_tensor(self.norm_mlp(x + self.mlp(x)))


@dataclass(frozen=True)
class Way:
    """The way a plain loop runs."""

    published: bool
    bf16: bool
    compiled: bool


class Plain(nn.Module):
    """Linear embedding, blocks, linear readout of every token."""

    def __init__(self, sizes: Model, n_tokens: int, n_inputs: int, n_outputs: int, recompute: bool) -> None:
        super().__init__()
        self.recompute = recompute
        self.embedding = nn.Linear(n_inputs, sizes.width)
        self.blocks = nn.ModuleList(Block(sizes, n_tokens) for _ in range(sizes.blocks))
        self.readout = nn.Linear(sizes.width, n_outputs)

    def forward(self, x: Tensor) -> Tensor:
        x = self.embedding(x)
        for block in self.blocks:
            x = torch.as_tensor(checkpoint(block, x, use_reentrant=False) if self.recompute else block(x))
        return torch.as_tensor(self.readout(x))


class PlainLoop(ABC):
    """Training on examples, one array of all or several; a subclass says what a batch's loss is."""

    def __init__(self, data: tuple[Tensor, ...], model: Plain, batch_size: int, way: Way) -> None:
        self.data, self.batch_size, self.way = data, batch_size, way
        self.model = model.to(data[0].device)
        self.run = torch.compile(self.model) if way.compiled else self.model
        self.optimiser = torch.optim.AdamW(self.model.parameters(), 1e-4, weight_decay=0)

    def __len__(self) -> int:
        """Count batches in an epoch."""
        return len(self.data[0]) // self.batch_size

    def batches(self) -> Iterator[tuple[Tensor, ...]]:
        if self.way.published:
            data = TensorDataset(*(each.cpu() for each in self.data))
            for batch in DataLoader(data, self.batch_size, shuffle=True, drop_last=True):
                yield tuple(each.to(self.data[0].device) for each in batch)
        else:
            for rows in split(torch.randperm(len(self.data[0])), self.batch_size)[: len(self)]:
                yield tuple(each[rows] for each in self.data)

    @abstractmethod
    def loss(self, *batch: Tensor) -> Tensor:
        """Mean loss of a batch."""

    def steps(self, count: int) -> None:
        for _, batch in zip(range(count), self.batches(), strict=False):
            self.optimiser.zero_grad()
            with torch.autocast(batch[0].device.type, torch.bfloat16, enabled=self.way.bf16):
                loss = self.loss(*batch)
            loss.backward()  # type: ignore[no-untyped-call]
            self.optimiser.step()


class PlainGrid(PlainLoop):
    """Puzzles one-hot; the last token is read."""

    def __init__(self, task: Grid, sizes: Model, batch_size: int, way: Way) -> None:
        puzzles, answers = task.puzzles["train"], task.answers["train"]
        self.n_symbols = task.n_outputs + 1  # with the target's mark; a blank is all zeros
        model = Plain(sizes, puzzles.shape[1], self.n_symbols, task.n_outputs, way.published)
        super().__init__((self.one_hot(puzzles), answers), model, batch_size, way)

    def one_hot(self, puzzles: Tensor) -> Tensor:
        return nn.functional.one_hot(puzzles, self.n_symbols + 1)[..., 1:].float()

    def loss(self, *batch: Tensor) -> Tensor:
        inputs, answers = batch
        return nn.functional.cross_entropy(self.run(inputs)[:, -1].float(), answers)


class PlainMasked(PlainLoop):
    """Frames masked anew in each batch; every token is read."""

    def __init__(self, task: MaskedRegression, sizes: Model, batch_size: int, way: Way) -> None:
        frames = task.frames["train"]
        model = Plain(sizes, frames.shape[1], 2, 1, way.published)
        super().__init__((frames,), model, batch_size, way)

    def loss(self, *batch: Tensor) -> Tensor:
        (frames,) = batch
        hidden = torch.rand_like(frames) < 0.5
        seen = torch.stack([frames.masked_fill(hidden, 0), hidden.float()], dim=-1)
        outputs = self.run(seen)[..., 0].float()
        return torch.as_tensor(((outputs - frames)[hidden] ** 2).mean())

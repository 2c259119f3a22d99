"""The published model as it is usually written in PyTorch, one seed at a time."""

import torch
from torch import Tensor, nn
from torch.utils.checkpoint import checkpoint
from torch.utils.data import DataLoader, TensorDataset

from stages.parameters.scales import Model
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


class Plain(nn.Module):
    """Linear embedding, blocks recomputed in the backward pass, linear readout of every token."""

    def __init__(self, sizes: Model, n_tokens: int, n_inputs: int, n_outputs: int) -> None:
        super().__init__()
        self.embedding = nn.Linear(n_inputs, sizes.width)
        self.blocks = nn.ModuleList(Block(sizes, n_tokens) for _ in range(sizes.blocks))
        self.readout = nn.Linear(sizes.width, n_outputs)

    def forward(self, x: Tensor) -> Tensor:
        x = self.embedding(x)
        for block in self.blocks:
            x = torch.as_tensor(checkpoint(block, x, use_reentrant=False))
        return torch.as_tensor(self.readout(x))


class PlainGrid:
    """Puzzles one-hot through a DataLoader; the last token is read."""

    def __init__(self, task: Grid, sizes: Model, batch_size: int) -> None:
        puzzles = task.puzzles["train"]
        one_hot = nn.functional.one_hot(puzzles, task.n_outputs + 2)[..., 1:].float().cpu()
        data = TensorDataset(one_hot, task.answers["train"].cpu())
        self.loader = DataLoader(data, batch_size, shuffle=True, drop_last=True)
        n_tokens = puzzles.shape[1]
        self.model = Plain(sizes, n_tokens, task.n_outputs + 1, task.n_outputs).to(puzzles.device)
        self.optimiser = torch.optim.AdamW(self.model.parameters(), 1e-4, weight_decay=0)

    def steps(self, count: int) -> None:
        for _, (inputs, answers) in zip(range(count), self.loader, strict=False):
            device = self.model.readout.weight.device
            self.optimiser.zero_grad()
            outputs = self.model(inputs.to(device))[:, -1]
            nn.functional.cross_entropy(outputs, answers.to(device)).backward()  # type: ignore[no-untyped-call]
            self.optimiser.step()


class PlainMasked:
    """Frames through a DataLoader, masked anew in each batch; every token is read."""

    def __init__(self, task: MaskedRegression, sizes: Model, batch_size: int) -> None:
        frames = task.frames["train"]
        self.loader = DataLoader(TensorDataset(frames.cpu()), batch_size, shuffle=True, drop_last=True)
        self.model = Plain(sizes, frames.shape[1], 2, 1).to(frames.device)
        self.optimiser = torch.optim.AdamW(self.model.parameters(), 1e-4, weight_decay=0)

    def steps(self, count: int) -> None:
        for _, (frames,) in zip(range(count), self.loader, strict=False):
            frames = frames.to(self.model.readout.weight.device)
            hidden = torch.rand_like(frames) < 0.5
            self.optimiser.zero_grad()
            seen = torch.stack([frames.masked_fill(hidden, 0), hidden.float()], dim=-1)
            outputs = self.model(seen)[..., 0]
            ((outputs - frames)[hidden] ** 2).mean().backward()
            self.optimiser.step()

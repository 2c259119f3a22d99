"""The post-norm transformer of Ito et al. (arXiv 2406.08272), R replicas stacked in one model."""

from torch import Tensor, nn
from torch.nn.functional import gelu

from stages.encodings.interface import PositionalEncoding
from stages.model.attention import Attention
from stages.model.layers import LayerNorm, Linear
from stages.numerics.streams import Generators
from stages.params import Model

ALL = slice(None)


class Block(nn.Module):
    """Attention, add & norm, MLP d -> 4d -> d with GELU after both layers, add & norm."""

    def __init__(self, sizes: Model, generators: Generators) -> None:
        super().__init__()
        width, hidden = sizes.width, sizes.expansion * sizes.width
        self.attention = Attention(width, sizes.heads, generators)
        self.norm_attention = LayerNorm(width, len(generators))
        self.widen = Linear(width, hidden, generators)
        self.narrow = Linear(hidden, width, generators)
        self.norm_mlp = LayerNorm(width, len(generators))

    def forward(self, x: Tensor, read: slice) -> Tensor:
        """x [R, B, n, d] -> [R, B, m, d] for the m tokens that are read later."""
        shape = x[:, :, read].shape
        rows = (shape[0], -1, shape[3])  # [R, B*m, d]
        attended = self.norm_attention((x[:, :, read] + self.attention(x, read)).view(rows))
        mixed = gelu(self.narrow(gelu(self.widen(attended))))
        out: Tensor = self.norm_mlp(attended + mixed)
        return out.view(shape)


class Transformer(nn.Module):
    """Embedding, blocks with the encoding's table added before each, linear readout.

    `read` are the tokens whose outputs the task needs; the last block computes those alone.
    """

    def __init__(
        self,
        sizes: Model,
        embedding: nn.Module,
        encoding: PositionalEncoding,
        outputs: int,
        read: slice,
        generators: Generators,
    ) -> None:
        super().__init__()
        self.embedding = embedding
        self.encoding = encoding
        self.blocks = nn.ModuleList(Block(sizes, generators) for _ in range(sizes.blocks))
        self.readout = Linear(sizes.width, outputs, generators)
        self.read = read

    def forward(self, inputs: Tensor) -> Tensor:
        """inputs [R, B, n] codes or [R, B, n, f] features -> outputs [R, B, m, outputs]."""
        x = self.embedding(inputs)
        for index, block in enumerate(self.blocks):
            table = self.encoding.table(index)
            if table is not None:
                x = x + table[:, None]
            x = block(x, self.read if index == len(self.blocks) - 1 else ALL)
        replicas, batch, m, width = x.shape
        outputs: Tensor = self.readout(x.reshape(replicas, batch * m, width))
        return outputs.view(replicas, batch, m, -1)

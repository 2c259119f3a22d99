"""Trained models on longer sequences than they were trained on."""

import numpy as np
import torch
from torch import Tensor

from stages.encodings.interface import Host
from stages.model.attention import ALL
from stages.model.transformer import Transformer
from stages.randomness.initial import normal


def lend_weights(trained: Transformer, longer: Transformer, n: int, host: Host) -> None:
    """Give `longer`, assembled for more tokens, the parameters trained with n. host: of the longer model.

    Raises ValueError, one line, where the encoding cannot be asked: its parameters are for n tokens, or it
    would treat those n in another way because others follow.
    """
    given = dict(trained.named_parameters())
    for name, parameter in longer.named_parameters():
        if parameter.shape != given[name].shape:
            raise ValueError(
                f"its {name.rpartition('.')[2]} are those of {n} tokens; train it on longer ones"
            )
        parameter.data.copy_(given[name])
    for block in range(host.blocks):
        alone, followed = act(trained, host, block, n), act(longer, host, block, len(host.indices))
        for short, long in zip(alone, followed, strict=True):
            if not torch.allclose(short, long[..., :n, : short.shape[-1]], rtol=1e-4, atol=1e-5):
                raise ValueError(f"it places the first {n} tokens elsewhere when others follow")


def act(model: Transformer, host: Host, block: int, m: int) -> list[Tensor]:
    """What the encoding makes of the first m tokens of random content: queries, logits, a table if any."""
    random = [np.random.default_rng(seed) for seed in range(len(model.readout.weight))]
    content = normal(1, (1, host.heads, len(host.indices), host.head_width), random)[..., :m, :]
    q = model.encoding.rotate(block, content, ALL)
    made = [q, model.encoding.logits(block, q @ q.transpose(-1, -2), q, q, ALL)]
    table = model.encoding.table(block) if block < model.n_tables else None
    return made if table is None else [*made, table]

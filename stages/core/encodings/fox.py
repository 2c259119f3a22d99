"""A forget gate in every token, which fades all that came before it. Causal.

b_ij + sum of log sigmoid(w_h . x_l + a_h) over l = j + 1..i, x the tokens that attention is given. Each head
of each block has its own w and a. ASSUME a = 0 at the start, where the released code draws it as a linear
layer's; output gates and norms of the paper's "Pro" block are left out.
Source: Lin et al. 2025 (Forgetting Transformer), arXiv 2503.02130.
"""

from .bases.gates import SummedGates


class Encoding(SummedGates):
    """Trained w and a: -log sigmoid(z) = softplus(-z)."""

    causal = True
    sign = -1

"""A penalty on attention logits that grows with the tokens between, each by how much it says itself.

b_ij - sum of softplus(w_h . x_l + a_h) over the l that lie between j and i, the later of both included. x are
the tokens that attention is given. Each head of each block has its own w and a. ASSUME both directions:
under `mask: causal` it is the released code's, and `fox` with w and a of the other sign.
ASSUME content logits divided by sqrt(d_h), as everywhere here; the released code has them undivided.
Source: Veisi et al. 2025 (CABLE), arXiv 2503.08067.
"""

from .bases.gates import SummedGates


class Encoding(SummedGates):
    """Trained w and a."""

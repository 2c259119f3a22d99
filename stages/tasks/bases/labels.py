"""Loss and score shared by the tasks that ask for a label of every token."""

from torch import Tensor
from torch.nn.functional import cross_entropy

from stages.tasks.interface import Batch


class TokenLabels:
    """Outputs [R, B, n, labels] against labels [R or 1, B, n]."""

    read = slice(None)
    metric = "accuracy"

    def loss(self, outputs: Tensor, batch: Batch) -> Tensor:
        return token_losses(outputs, batch.targets).mean(-1)

    def score(self, outputs: Tensor, batch: Batch) -> Tensor:
        return token_hits(outputs, batch.targets).mean(-1)


def token_losses(outputs: Tensor, labels: Tensor) -> Tensor:
    """Cross-entropy of every token in nats, [R, B, n]."""
    expanded = labels.expand(outputs.shape[:-1])
    return cross_entropy(outputs.flatten(0, -2), expanded.flatten(), reduction="none").view(expanded.shape)


def token_hits(outputs: Tensor, labels: Tensor) -> Tensor:
    """1 where the largest output is the label's, else 0, [R, B, n]."""
    return (outputs.argmax(-1) == labels).to(outputs.dtype)

"""Compare the answers of an encoding, and refuse those that should not differ or hold no numbers."""

from collections.abc import Callable

import torch
from torch import Tensor

from stages.core.settings.errors import InputError

Answers = dict[tuple[int, str], Tensor]  # of each block and method, in the order in which they are called
OF_ALL = -1  # in place of a block: of all together, without an axis of examples
NORMALISED = "normalised"  # the weights that `weights` is given, kept beside the answers
TOLERANCE = 1e-4  # of the largest entry; float32 rounding of the schemes here stays near 1e-6
# of gradients of parameters: sums over all tokens, whose terms cancel; those of `fire` round by up to 1.2e-4
OF_SUMS = 2e-3


def check_numbers(scheme: str, answers: Answers) -> None:
    """Raise InputError for NaN or infinity, which would make a loss NaN; -inf as a logit hides a pair."""
    for (_, method), answer in answers.items():
        if method == NORMALISED:
            if answer.isnan().any():
                raise InputError(f"{scheme}: logits hides all tokens from one, all -inf; leave it one to see")
            continue
        wrong = {"NaN": answer.isnan(), "+inf": answer.isposinf(), "-inf": answer.isneginf()}
        expected = "finite numbers"
        if method == "logits":
            del wrong["-inf"]
            expected += ", or -inf to hide a token"
        for name, found in wrong.items():
            if found.any():
                raise InputError(f"{scheme}: {method} holds {name}, expected {expected}")


def narrow(answers: Answers, axis: int, part: slice | Tensor) -> Answers:
    """Narrow the answers to some seeds (axis 0), examples (1) or rows (3); a table has only seeds."""
    index = (*[slice(None)] * axis, part)
    return {
        key: one if axis and key[1] == "table" else one[index]
        for key, one in answers.items()
        if not axis or key[0] != OF_ALL
    }


def differ(one: Tensor, other: Tensor, tolerance: float = TOLERANCE) -> bool:
    """Tell whether they differ by more than rounding."""
    largest = one.nan_to_num(posinf=0, neginf=0).abs().amax() if one.numel() else torch.zeros(())
    close = torch.isclose(one, other, rtol=0, atol=tolerance * float(largest), equal_nan=True)
    return not bool(close.all())


def differ_at_all(one: Tensor, other: Tensor) -> bool:
    """Tell whether they differ in any bit."""
    return not torch.equal(one.nan_to_num(), other.nan_to_num())


def find_change(
    answers: Answers, others: Answers, differ: Callable[[Tensor, Tensor], bool] = differ
) -> str | None:
    """Find the first method whose answers differ; None: none does.

    By more than rounding unless `differ` says otherwise.
    """
    for key, answer in answers.items():
        if key not in others or differ(answer, others[key]):
            return key[1]
    return None


def refuse(scheme: str, method: str | None, fault: str) -> None:
    """Raise InputError with the method at fault, if there is one."""
    if method is not None:
        raise InputError(f"{scheme}: {method} {fault}")

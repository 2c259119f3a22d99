"""Say what is odd about an encoding and may be meant, so that a trial does not refuse it."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import torch
from torch import Tensor

from stages.core.encodings.interface import PositionalEncoding
from stages.core.model.attention import ALL
from stages.trial.answers import NORMALISED, OF_ALL, Answers, differ
from stages.trial.gradients import GRADIENT
from stages.trial.listener import Listener, Tokens

COARSE = 0.1  # of an answer's size; bf16 changes those of the schemes here by less than 0.005


def find_equal_starts(encoding: PositionalEncoding) -> list[str]:
    """Name parameters that start from the same numbers in every seed, unless from one number alone."""
    return [
        name
        for name, (first, *others) in encoding.named_parameters()
        if first.numel() and first.min() < first.max() and all(map(first.equal, others))
    ]


class Rounded(Listener):
    """Attention that asks each method again with products in bf16, and keeps which ones answer otherwise."""

    def __init__(self, listener: Listener) -> None:
        super().__init__(listener.scheme, listener.encoding, listener.host, listener.normaliser)
        self.coarse: dict[str, float] = {}  # by how much, of the answer's size

    def ask(self, method: str, *given: Any) -> Any:
        copies = [each.clone() if isinstance(each, Tensor) else each for each in given]
        exact = super().ask(method, *given)
        # where a product of two formats fails, training in bf16 says so
        with suppress(RuntimeError), torch.autocast("cpu", torch.bfloat16):
            rounded = super().ask(method, *copies)
            for one, other in zip(list_tensors(exact), list_tensors(rounded), strict=True):
                if (by := relative_change(one, other)) > COARSE:
                    self.coarse[method] = max(by, self.coarse.get(method, 0))
        return exact


def list_tensors(answer: Any) -> list[Tensor]:
    """List the tensors of an answer: of `rotate` there are two, of a table there may be none."""
    return [one for one in (answer if isinstance(answer, tuple) else (answer,)) if isinstance(one, Tensor)]


def relative_change(exact: Tensor, rounded: Tensor) -> float:
    """Divide the root mean square of the change by that of the finite entries."""
    finite = exact.isfinite()
    whole, change = exact[finite].norm(), (exact - rounded)[finite].norm()
    return float(change / whole) if whole else 0.0


class Unbiased(Listener):
    """Attention that goes on with the content logits, as if `logits` added nothing."""

    def logits(self, block: int, logits: Tensor, q: Tensor, k: Tensor, x: Tensor, rows: slice) -> Tensor:
        super().logits(block, logits.clone(), q.clone(), k.clone(), x.clone(), rows)
        self.answers[block, "logits"] = logits
        return logits


@torch.no_grad()
def is_cancelled(listener: Listener, tokens: Tokens) -> bool:
    """Tell whether `logits` changes logits, but no attention weight."""
    plain = Unbiased(listener.scheme, listener.encoding, listener.host, listener.normaliser)
    with_it, without = listener(*tokens, ALL), plain(*tokens, ALL)
    changed = {method for (block, method), one in with_it.items() if differ(one, without[block, method])}
    several = len(listener.host.indices) > 1  # the weight of a single key is 1 whatever its logit
    return several and "logits" in changed and NORMALISED not in changed


def ignores_content(asked: Answers) -> bool:
    """Tell whether no block passes a gradient to queries and keys, as attention does not see any content."""
    wanted = {GRADIENT.format(name) for name in ("queries", "keys")}
    return not any(answer.any() for (_, name), answer in asked.items() if name in wanted)


@torch.no_grad()
def find_coarse(listener: Listener, tokens: Tokens) -> dict[str, float]:
    """Find methods that answer otherwise with products in bf16, and by what share of their answer."""
    rounded = Rounded(listener)
    rounded(*tokens, ALL)
    return rounded.coarse


def find_unread(
    encoding: PositionalEncoding, asked: Sequence[Answers], enlarge: Callable[[], PositionalEncoding]
) -> list[str]:
    """Name entries of parameters, by block and head, that get no gradient while others do.

    enlarge: makes the encoding for more blocks and heads. Only axes that are then longer count: along others,
    such as of offsets, tokens may reach a part alone.
    """
    found: list[str] = []
    for name, _ in encoding.named_parameters():
        key = OF_ALL, GRADIENT.format(name)
        passed = [one[key] != 0 for one in asked if key in one]
        read = torch.stack(passed).any(0) if passed else torch.zeros(())
        if not read.any() or read.all():
            continue
        with suppress(RuntimeError, ValueError, IndexError):
            larger = dict(enlarge().named_parameters())[name].shape
            longer = [one > size for one, size in zip(larger, read.shape, strict=True)]
            for axis in [axis for axis, grown in enumerate(longer) if not grown]:
                read = read.any(axis, keepdim=True)
            if len(unread := (~read).nonzero()):
                places = zip(unread[0].tolist(), longer, strict=True)
                index = ", ".join(str(place) if grown else ":" for place, grown in places)
                found.append(f"{name}[{index}] ({len(unread)} of {read.numel()} such parts)")
    return found


def tell(
    scheme: str,
    equal: list[str],
    cancelled: bool,
    coarse: dict[str, float],
    unread: list[str],
    ignored: bool,
    blind: bool,
) -> None:
    """Print what was found."""
    if blind:
        print(
            f"note: {scheme}: attention depends on no query and no key, so not on what tokens hold; let "
            "logits add to the logits that it is given",
            flush=True,
        )
    if ignored:
        print(
            f"note: {scheme}: no method answers otherwise with a draw than without; read self.drawn",
            flush=True,
        )
    for part in unread:
        print(
            f"note: {scheme}: parameter {part} gets no gradient, so it is never trained; read each block's "
            "and head's own part",
            flush=True,
        )
    for name in equal:
        print(f"{scheme}: parameter {name} starts from the same values in every seed", flush=True)
    if cancelled:
        print(
            f"note: {scheme}: attention weights stay as they are, since what logits adds is alike for all "
            "keys of a query and is cancelled; let it differ between keys",
            flush=True,
        )
    for method, by in coarse.items():
        print(
            f"note: {scheme}: {method} changes by {by:.0%} with matrix products in bf16, which precision "
            "auto may take; compute it within `with torch.autocast(device.type, enabled=False):`",
            flush=True,
        )

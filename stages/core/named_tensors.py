"""Find and replace parameters and buffers of a module by their names."""

from collections.abc import Iterable

from torch import Tensor, nn

from .encodings.interface import PositionalEncoding, list_encodings
from .settings.errors import InputError


def differ(module: nn.Module, other: nn.Module) -> set[str]:
    """Name the buffers in which two modules differ."""
    return {name for name, value in module.named_buffers() if not value.equal(other.get_buffer(name))}


def find_owner(module: nn.Module, name: str) -> tuple[nn.Module, str]:
    """Find the module inside another that has a tensor of this name, and what it calls it."""
    path, _, leaf = name.rpartition(".")
    return module.get_submodule(path), leaf


def find_encoding(encoding: PositionalEncoding, name: str) -> PositionalEncoding:
    """Find the encoding that made a tensor of this name: the innermost part around it."""
    inside = {f"{path}.".removeprefix("."): part for path, part in list_encodings(encoding).items()}
    return [part for path, part in inside.items() if name.startswith(path)][-1]


def find(module: nn.Module, name: str) -> Tensor:
    """Find a tensor by its name, also one that is parametrized."""
    owner, leaf = find_owner(module, name)
    found: Tensor = getattr(owner, leaf)
    return found


def put(module: nn.Module, name: str, value: Tensor) -> None:
    """Put a tensor, which may carry gradients elsewhere, in the place of a parameter or buffer."""
    owner, leaf = find_owner(module, name)
    owner._parameters.pop(leaf, None)
    owner._buffers[leaf] = value


def take_out(module: nn.Module, names: Iterable[str]) -> None:
    """Take buffers of these names out of a module."""
    for name in names:
        owner, leaf = find_owner(module, name)
        del owner._buffers[leaf]


def refuse_set(module: nn.Module, name: str) -> None:
    """Raise InputError where somebody set what was taken out: it is made anew for tokens in their places."""
    owner, leaf = find_owner(module, name)
    if hasattr(owner, leaf):
        raise InputError(
            f"inner.{name} was set, which is made anew for tokens in their places, so that it would change "
            "nothing; write a scheme of your own with it"
        )

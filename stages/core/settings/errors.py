"""Errors that a user can fix: one line, without a traceback."""

from collections.abc import Iterable
from difflib import get_close_matches


class InputError(ValueError):
    """A mistake in what the user gave. The message names the value, what was expected and the cure."""


def one_of(given: str, known: Iterable[str]) -> str:
    """Name what was expected instead of a name: the one written most like it, otherwise all that exist."""
    names = list(known)
    nearest = get_close_matches(given, names, n=1, cutoff=0.7)
    return nearest[0] if nearest else f"one of {', '.join(names)}"

"""Names that users write: blanks, case and ways of writing an accent tell no two of them apart."""

from collections.abc import Callable, Hashable, Iterable
from unicodedata import normalize


def clean_name(name: str) -> str:
    """Return a name without blanks around it, an accent joined with its letter as most programs write it."""
    return normalize("NFC", name.strip())


def fold_name(name: str) -> str:
    """Return what is left of a name without case, blanks and accents' way of writing."""
    return clean_name(name).casefold()


def find_twins(names: Iterable[str], key: Callable[[str], Hashable] = fold_name) -> tuple[str, str] | None:
    """Find the first two names that are one by their key, as but for case and blanks."""
    seen: dict[Hashable, str] = {}
    for name in sorted(set(names)):
        if (other := seen.setdefault(key(name), name)) != name:
            return other, name
    return None

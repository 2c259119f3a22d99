"""Names that users write: blanks, case and ways of writing an accent tell no two of them apart."""

from collections.abc import Iterable
from unicodedata import normalize


def clean_name(name: str) -> str:
    """Return a name without blanks around it, an accent joined with its letter as most programs write it."""
    return normalize("NFC", name.strip())


def find_twins(names: Iterable[str]) -> tuple[str, str] | None:
    """Find the first two names that are one but for case, blanks and accents' way of writing."""
    seen: dict[str, str] = {}
    for name in sorted(set(names)):
        if (other := seen.setdefault(clean_name(name).casefold(), name)) != name:
            return other, name
    return None

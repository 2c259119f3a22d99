"""In what two records of provenance differ."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

ABOUT_FILES = ("stages",)  # compared file by file


class Difference(NamedTuple):
    what: str
    published: str
    here: str


def differences(published: Mapping[str, Any], here: Mapping[str, Any]) -> list[Difference]:
    """Every value that differs, by its path in the record; of lists of words, the words on one side only."""
    found = []
    there, now = (
        dict(_leaves({k: v for k, v in one.items() if k not in ABOUT_FILES})) for one in (published, here)
    )
    for what in {**there, **now}:
        one, other = there.get(what), now.get(what)
        if isinstance(one, list) and isinstance(other, list):
            one, other = ([word for word in a if word not in b] for a, b in ((one, other), (other, one)))
        difference = Difference(what, _text(one), _text(other))
        if difference.published != difference.here:
            found.append(difference)
    return found


def _leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Scalars, and lists of words as a whole, by their paths."""
    if isinstance(value, list) and any(isinstance(one, dict) for one in value):
        value = dict(enumerate(value))
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(inner, f"{name}.{key}" if name else str(key))
    else:
        yield name, value


def _text(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value)) or "\u2013"
    return "\u2013" if value is None else str(value)

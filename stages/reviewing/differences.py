"""In what two records of provenance differ."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from stages.reviewing.deviation import leaves

NOT_COMPARED = "wall_s."  # decides no result


class Difference(NamedTuple):
    what: str
    published: str
    here: str


def list_differences(published: Mapping[str, Any], here: Mapping[str, Any]) -> list[Difference]:
    """Every value that differs, by its path in the record; of several words, those on one side only."""
    old, new = dict(leaves(dict(published))), dict(leaves(dict(here)))
    differences = []
    for what in {**old, **new}:
        a, b = str(old.get(what)).split(), str(new.get(what)).split()
        if a != b and not what.startswith(NOT_COMPARED):
            only = ([word for word in a if word not in b], [word for word in b if word not in a])
            differences.append(Difference(what, *(_text(words) for words in only)))
    return differences


def _text(words: list[str]) -> str:
    return "\u2013" if words in ([], ["None"]) else " ".join(words)

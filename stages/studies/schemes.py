"""The class of a scheme, and what is said where its file is mistaken."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from stages.core.encodings import interface
from stages.core.encodings.interface import METHODS, PositionalEncoding, overridden
from stages.core.encodings.lookup.check_class import check_settings
from stages.core.randomness.global_streams import watch_globals
from stages.core.settings.errors import InputError
from stages.parameters import own_files
from stages.studies.schema import OF_CELL

FOLDER = Path(interface.__file__).parent


def find_class(scheme: str) -> type[PositionalEncoding]:
    """Find the class of a scheme. Raises InputError if its file cannot be read or holds none."""
    place = f"stages/core/encodings/{scheme}.py"
    with explained(scheme):
        if (name := f"stages.core.encodings.{scheme}") not in sys.modules:
            with watch_globals(place):
                import_module(name)
    kind = getattr(sys.modules[name], "Encoding", None)
    if not isinstance(kind, type) or not issubclass(kind, PositionalEncoding):
        found = "no class Encoding" if kind is None else "Encoding is no PositionalEncoding"
        raise InputError(f"{place}: {found}; expected `class Encoding(PositionalEncoding)`, as in learned.py")
    if not overridden(kind) and not kind.causal and scheme != "none":
        raise InputError(f"{place}: overrides nothing; expected one of {', '.join(METHODS)}")
    check_settings(scheme, kind, OF_CELL, "a study's cell")
    return kind


@contextmanager
def explained(scheme: str) -> Iterator[None]:
    """Turn errors inside that a scheme's file raises into InputError with the line."""
    try:
        with own_files.explained(f"stages/core/encodings/{scheme}.py", FOLDER / f"{scheme}.py"):
            yield
    except InputError as error:
        if "NoneType" in str(error):
            raise InputError(
                f"{error}; where host.positions lacks what it reads, as coordinates, leave such tokens out "
                "by `require`, as rope_nd.py does"
            ) from None
        raise

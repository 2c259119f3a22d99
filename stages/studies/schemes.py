"""The class of a scheme, and what is said where its file is mistaken."""

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from stages.encodings import interface
from stages.encodings.interface import METHODS, PositionalEncoding
from stages.parameters.errors import InputError

FOLDER = Path(interface.__file__).parent


def find_class(scheme: str) -> type[PositionalEncoding]:
    """The class of a scheme; InputError where its file cannot be read or holds none."""
    place = f"stages/encodings/{scheme}.py"
    with explained(scheme):
        module = import_module(f"stages.encodings.{scheme}")
    kind = getattr(module, "Encoding", None)
    if not isinstance(kind, type) or not issubclass(kind, PositionalEncoding):
        found = "no class Encoding" if kind is None else "Encoding is no PositionalEncoding"
        raise InputError(f"{place}: {found}; expected `class Encoding(PositionalEncoding)`, as in learned.py")
    own = [name for name in METHODS if getattr(kind, name) is not getattr(PositionalEncoding, name)]
    if not own and not kind.causal and scheme != "none":
        raise InputError(f"{place}: overrides nothing; expected one of {', '.join(METHODS)}")
    return kind


@contextmanager
def explained(scheme: str) -> Iterator[None]:
    """Errors inside that a scheme's file raises become InputError with the line."""
    try:
        yield
    except InputError:
        raise
    except SyntaxError as error:
        raise InputError(f"{error.filename}, line {error.lineno}: {error.msg}; mend that line") from None
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if Path(frame.filename) == FOLDER / f"{scheme}.py"]
        place = f"stages/encodings/{scheme}.py" + (f", line {lines[-1]}" if lines else "")
        said = " ".join(str(error).split())
        raise InputError(f"{place}: {type(error).__name__}: {said}; mend it") from None

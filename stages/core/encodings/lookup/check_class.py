"""Check the class in the file of a scheme: methods that are called, names that are read, typed settings."""

from collections.abc import Iterable
from dataclasses import fields
from difflib import get_close_matches
from functools import cache
from inspect import Parameter, getmembers, isfunction, signature
from typing import Any

from pydantic import PydanticUserError, create_model

from ...settings.configuration import Architecture
from ...settings.errors import InputError
from ...settings.kinds import STRICT
from ..interface import METHODS, PositionalEncoding, overridden


@cache  # asked of the same class for every cell
def check_class(scheme: str, kind: type[PositionalEncoding]) -> None:
    """Raise InputError for a method that is never called, or is called otherwise, and an untyped setting."""
    place, base = f"stages/core/encodings/{scheme}.py", PositionalEncoding
    acts = overridden(kind)
    for name, method in getmembers(kind, isfunction):
        if name in METHODS:
            given, expected = (
                ", ".join(signature(each).parameters) for each in (method, getattr(base, name))
            )
            if given != expected:
                raise InputError(f"{place}: {name}({given}) given, expected {name}({expected})")
            continue
        if name.startswith("_") or hasattr(base, name):
            continue
        # beside a method that acts this may be a helper, unless its name is nearly that of a method
        if meant := get_close_matches(name.lower(), METHODS, n=1, cutoff=0.8 if acts else 0):
            known = ", ".join(METHODS)
            raise InputError(f"{place}: {name} overrides no method; did you mean {meant[0]}? ({known})")
    check_attributes(scheme, set(dir(kind)) - set(dir(base)))
    check_settings(scheme, kind, ("scheme", *(field.name for field in fields(Architecture))), "the model")
    for name, setting in settings_of(kind).items():
        typed: Any = {name: (setting.annotation, setting.default)}
        try:
            create_model("Setting", __config__=STRICT, **typed)
            complete = setting.default is not Parameter.empty
        except PydanticUserError:
            complete = False
        if not complete:
            raise InputError(
                f"{place}: setting '{setting}' given, expected a type that YAML has and a default, such as "
                f"'{name}: float = 0.5'"
            )


def check_attributes(scheme: str, names: Iterable[str]) -> None:
    """Raise InputError for a name that may stand for `causal`, which is read from the class alone."""
    for name in sorted(names):
        if get_close_matches(name.lower(), ["causal"], cutoff=0.8):
            raise InputError(
                f"stages/core/encodings/{scheme}.py: {name} is never read; did you mean `causal = True`, "
                "in the class and outside its methods?"
            )


def check_settings(scheme: str, kind: type[PositionalEncoding], taken: Iterable[str], by: str) -> None:
    """Raise InputError for a setting whose name is taken: it would never get a value."""
    for name in sorted(set(settings_of(kind)).intersection(taken)):
        raise InputError(
            f"stages/core/encodings/{scheme}.py: setting '{name}' given, but {by} takes what is written for "
            f"{name}, expected another name; rename it, such as own_{name}"
        )


def settings_of(encoding: type[PositionalEncoding]) -> dict[str, Parameter]:
    """Return the scheme's settings with type and default: the arguments of its class behind the host."""
    _, *settings = signature(encoding, eval_str=True).parameters.values()
    return {setting.name: setting for setting in settings}

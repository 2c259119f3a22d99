"""Find the scheme of a configuration by its name, check its settings, and make it.

A scheme is one file in the folder above; the file's name is its name in params.yaml.
"""

from dataclasses import fields, replace
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from pydantic import BaseModel, create_model

from ...settings.checking import check
from ...settings.configuration import Architecture, Configuration, read_configuration
from ...settings.errors import InputError, one_of
from ...settings.kinds import STRICT
from ..interface import Host, PositionalEncoding, list_encodings, overridden
from .check_class import check_attributes, check_class, settings_of

FOLDER = Path(__file__).parents[1]
PARTS = "parts"  # the setting of a scheme that is made of others


def create(configuration: Configuration, host: Host) -> PositionalEncoding:
    """Create a configuration's encoding, one replica per generator.

    Raises InputError for an unknown scheme or setting, DoesNotFit if the positions lack what the scheme
    needs.
    """
    kind, settings = resolve(configuration)
    host = replace(host, causal=host.causal or is_causal(configuration))
    encoding = kind(host, **settings)
    check_attributes(str(configuration.scheme), [*vars(encoding), *encoding.state_dict()])
    for part in list_encodings(encoding).values():
        part.causal = host.causal
    return encoding


def is_causal(configuration: Configuration) -> bool:
    """Tell whether tokens see only themselves and earlier ones, as the scheme or `mask` says."""
    return configuration.architecture.mask == "causal" or hides_future(*resolve(configuration))


def hides_future(kind: type[PositionalEncoding], settings: dict[str, Any]) -> bool:
    """Tell whether a scheme is causal itself: its class is, one of its parts, or all that act in turn."""
    parts = settings.get(PARTS)
    return (all if kind.in_turn else any)(map(is_causal, parts)) if parts else kind.causal


def acts_in(configuration: Configuration) -> set[str]:
    """Name the methods in which a scheme acts, or any of its parts."""
    kind, settings = resolve(configuration)
    return methods_of(kind, settings)


def methods_of(kind: type[PositionalEncoding], settings: dict[str, Any]) -> set[str]:
    """Name the methods that a class overrides, or any of its parts."""
    if PARTS in settings:
        return set().union(*map(acts_in, settings[PARTS]))
    return {*overridden(kind)}


def resolve(configuration: Configuration) -> tuple[type[PositionalEncoding], dict[str, Any]]:
    """Return the class and checked settings of a configuration's scheme.

    Raises InputError if either is at fault.
    """
    path, name = configuration.path, configuration.scheme
    check_scheme(f"{path}.scheme", name)
    encoding = import_module(f"..{name}", __package__).Encoding
    check_class(name, encoding)
    allowed = settings_of(encoding)
    for key, value in configuration.settings.items():
        if key not in allowed:
            expected = " and ".join(sorted(allowed)) or "nothing"
            of_model = [field.name for field in fields(Architecture)]
            nearest = get_close_matches(key, [*allowed, *of_model], n=1)
            cure = f"did you mean {nearest[0]}?" if nearest else "remove it or set it to null"
            raise InputError(
                f"{path}.{key}: {value!r} given, but {name} has no {key} (it takes {expected}); {cure}"
            )
    parts = {PARTS: read_parts(configuration)} if PARTS in allowed else {}
    given = {key: value for key, value in configuration.settings.items() if key != PARTS}
    settings = dict(check(model_settings(encoding), given, path)) | parts
    check_architecture(configuration, encoding, settings)
    return encoding, settings


@cache  # takes longer than all else that is asked of a cell
def model_settings(kind: type[PositionalEncoding]) -> type[BaseModel]:
    """Make the model that checks a scheme's settings."""
    kinds: Any = {
        key: (one.annotation, one.default) for key, one in settings_of(kind).items() if key != PARTS
    }
    return create_model("Settings", __config__=STRICT, **kinds)


def check_architecture(
    configuration: Configuration, kind: type[PositionalEncoding], settings: dict[str, Any]
) -> None:
    """Raise InputError for a model that is not to be had around a scheme."""
    path, name, architecture = configuration.path, configuration.scheme, configuration.architecture
    for key in ("where", "dropout"):
        given = getattr(architecture, key)
        if given and "table" not in methods_of(kind, settings):
            raise InputError(
                f"{path}.{key}: {given!r} given, but {name} adds no table to the tokens; remove it or set "
                "it to null"
            )
    if architecture.mask == "causal" and hides_future(kind, settings):
        raise InputError(f"{path}.mask: 'causal' given, but {name} is causal itself; remove it")
    parts = settings[PARTS] if kind.in_turn else ()
    causal = [part.path for part in parts if is_causal(part)]
    if causal and architecture.mask != "causal" and len(causal) < len(parts):
        raise InputError(
            f"{' and '.join(causal)}: causal, and parts of other blocks are not, but all have one mask; take "
            f"causal ones alone, or write mask: causal beside {PARTS}"
        )


def read_parts(configuration: Configuration) -> list[Configuration]:
    """Read the configurations of the encodings that a scheme is made of. Raises InputError."""
    given, place = configuration.settings.get(PARTS), f"{configuration.path}.{PARTS}"
    if not isinstance(given, list) or not given or not all(isinstance(one, dict) for one in given):
        raise InputError(
            f"{place}: {given!r} given, expected a list of encodings, such as [{{scheme: rope}}, {{scheme: "
            "learned}]"
        )
    for index, one in enumerate(given):
        for field in fields(Architecture):
            if one.get(field.name) is not None:
                raise InputError(
                    f"{place}[{index}].{field.name}: {one[field.name]!r} given, but all parts have one model "
                    f"around them; write it beside {PARTS}"
                )
    return [read_configuration(f"{place}[{index}]", one) for index, one in enumerate(given)]


def list_schemes(configuration: Configuration) -> list[str]:
    """List a configuration's scheme and those of its parts."""
    parts = read_parts(configuration) if PARTS in configuration.settings else []
    return [str(configuration.scheme), *(name for part in parts for name in list_schemes(part))]


def check_scheme(place: str, name: str | None) -> None:
    """Raise InputError for a scheme that has no file, or one that is not found by its name."""
    if name in schemes():
        return
    for file in FOLDER.glob("[!a-z_]*.py"):
        if file.stem.lower() == str(name).lower():
            raise InputError(
                f"{place}: {name!r} given, expected a file that begins with a small letter a-z; rename "
                f"stages/core/encodings/{file.name} and give its new name"
            )
    raise InputError(f"{place}: {name!r} given, expected {one_of(str(name or ''), schemes())}")


def adds_tables(configuration: Configuration) -> bool:
    """Tell whether the scheme adds tables to the tokens, or any of its parts."""
    return "table" in acts_in(configuration)


def schemes() -> list[str]:
    """Return names of all schemes: the files of the folder except the interface."""
    return sorted({file.stem for file in FOLDER.glob("[a-z]*.py")} - {"interface"})

"""Values from a YAML file as frozen dataclasses, or one line that says what is wrong with them."""

import json
from dataclasses import fields
from difflib import get_close_matches
from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from .errors import InputError, one_of

Section = TypeVar("Section")


def check(section: type[Section], values: Any, name: str) -> Section:
    """Check `values` as the frozen dataclass `section`; `name` is its path in the file.

    Raises InputError: an unknown key comes first, with the missing key that it may be a misspelling of.
    """
    kind: Any = section
    try:
        # JSON mode: strict about numbers and text, yet a nested mapping may become a dataclass
        checked: Section = adapt(kind).validate_json(json.dumps(values, default=str))
    except ValidationError as error:
        raise InputError(_describe(error, name, section)) from None
    return checked


@cache
def adapt(section: Any) -> TypeAdapter[Any]:
    """Make what checks values; takes much longer than to check them."""
    return TypeAdapter(section)


def _describe(error: ValidationError, name: str, section: Any) -> str:
    errors = error.errors(include_url=False)
    unknown = [fault for fault in errors if fault["type"] == "unexpected_keyword_argument"]
    missing = [_key(fault, name) for fault in errors if fault["type"] in ("missing", "missing_argument")]
    if unknown:
        key = _key(unknown[0], name)
        meant = get_close_matches(key, missing, n=1, cutoff=0.6)
        if meant:
            return f"{key}: unknown key, and {meant[0]} is missing; correct the spelling"
        if missing:
            return f"{key}: unknown key; remove it or correct its spelling ({missing[0]} is missing)"
        *inside, last = unknown[0]["loc"]
        known = [] if inside or not name else [field.name for field in fields(section)]
        expected = f"; expected {one_of(str(last), known)}" if known else ""
        return f"{key}: unknown key; remove it or correct its spelling{expected}"
    if missing:
        return f"{missing[0]}: missing; add it (params.yaml in version control shows its default)"
    expected = errors[0]["msg"].removeprefix("Input should be ").removeprefix("Value error, ")
    return f"{_key(errors[0], name)}: {errors[0]['input']!r} given, expected {expected}"


def _key(fault: Any, name: str) -> str:
    return ".".join([name] * bool(name) + [str(part) for part in fault["loc"]]) or "params.yaml"

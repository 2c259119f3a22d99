"""YAML as dvc reads and writes it, so that what it records is what is used: version 1.2, by ruamel.yaml.

PyYAML's version 1.1 differs: there `no` is False, `010` is 8, `1:30` is 90 and `1e-5` is text.
"""

import json
from io import StringIO
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.events import CollectionEndEvent, CollectionStartEvent

from stages.core.settings.errors import InputError

DEEPEST = 100  # levels of nesting: thousands would overflow the stack of libyaml, which ends the process
LARGEST = 10**6  # values and letters with aliases expanded, which could fill the memory


def parse(text: str) -> Any:
    """Parse a YAML text. Raises InputError for what is none, or too deep or large."""
    try:
        if is_too_deep(text):
            raise InputError(f"more than {DEEPEST} levels of nesting, expected at most {DEEPEST}")
        values = YAML(typ="safe").load(text)
        if (size := expanded_size(values, {})) > LARGEST:
            raise InputError(f"its aliases (*name) stand for {size} values, expected at most {LARGEST}")
        json.dumps(values, default=str)  # as `check` does: no key that is a date or a number too long
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise InputError(f"line {mark.line + 1}: {error.problem}" if mark else str(error.problem)) from None
    except Exception as error:  # wrong tags fail in many ways inside ruamel.yaml, nesting in recursion
        raise InputError(" ".join(str(error).split())) from None
    return values


def dump(values: Any) -> str:
    """Write these values as YAML, without aliases, short lists and mappings in one line."""
    yaml: Any = YAML(typ="safe")
    yaml.width, yaml.default_flow_style, yaml.sort_base_mapping_type_on_output = 110, None, False
    yaml.representer.ignore_aliases = lambda _: True
    text = StringIO()
    yaml.dump(values, text)
    return text.getvalue()


def is_too_deep(text: str) -> bool:
    """Tell whether mappings and lists of a YAML text are nested more than DEEPEST times."""
    depth = 0
    for event in YAML(typ="safe").parse(text):
        if isinstance(event, CollectionStartEvent):
            depth += 1
            if depth > DEEPEST:
                return True
        elif isinstance(event, CollectionEndEvent):
            depth -= 1
    return False


def expanded_size(value: Any, sizes: dict[int, int]) -> int:
    """Count values and letters in `value` with its aliases expanded; `sizes` holds those already counted."""
    if id(value) not in sizes:
        inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        length = len(value) if isinstance(value, str) else 1
        sizes[id(value)] = length + sum(expanded_size(item, sizes) for item in inside)
    return sizes[id(value)]

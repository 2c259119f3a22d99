"""A text stands for the same values here and for dvc, whoever wrote it."""

from typing import Any

import pytest
from dvc.utils.serialize import dumps_yaml, parse_yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from stages.core.settings.errors import InputError
from stages.parameters.yaml_text import dump, parse

# what YAML 1.1 and 1.2 take for different things, and how dvc reads it
SCALARS: dict[str, Any] = {
    "1e-5": 1e-5,
    "1.0e-05": 1e-5,
    "010": 10,
    "0o10": 8,
    "0x1F": 31,
    "1_000": 1000,
    "1:30": "1:30",
    "no": "no",
    "on": "on",
    "y": "y",
    "true": True,
    "~": None,
    "-.inf": -float("inf"),
    "'1e-5'": "1e-5",
}
plain = st.sampled_from(sorted(SCALARS)) | st.text("0123456789eExXoOb_.:+-", min_size=1, max_size=8)
texts = plain | st.sampled_from(["2020-01-01", "<<", "=", "", " a", "a: b", "σ", "\n", "null"]) | st.text()
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_subnormal=False) | texts,
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(texts, inside, max_size=3),
)


@pytest.mark.parametrize("text", SCALARS)
def test_a_scalar_is_what_dvc_takes_it_for(text: str) -> None:
    read = parse(f"a: {text}")["a"]
    assert read == SCALARS[text] and type(read) is type(SCALARS[text])
    assert parse_yaml(f"a: {text}", "x") == {"a": read}


@settings(deadline=None, derandomize=True)
@given(st.dictionaries(texts, values, min_size=1, max_size=3))
def test_what_is_written_here_or_by_dvc_is_read_alike_by_both(written: dict[str, Any]) -> None:
    assert parse(dump(written)) == parse_yaml(dump(written), "x") == written
    by_dvc = dumps_yaml(written)
    assert parse(by_dvc) == parse_yaml(by_dvc, "x")


def test_text_without_ascii_and_values_named_twice_are_written_out() -> None:
    value = {"σ": 1}
    assert dump({"a": value, "b": value}) == "a: {σ: 1}\nb: {σ: 1}\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: 2\na: 3\n", 'line 3: found duplicate key "a" with value "3" (original value: "1")'),
        ("a: 1\nb: *c\n", "line 2: found undefined alias"),
        ("a: 1\nb: [\n", "line 3: did not find expected node content"),
    ],
)
def test_a_mistake_is_told_with_its_line(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        parse(text)
    assert str(error.value).startswith(message) and "\n" not in str(error.value)

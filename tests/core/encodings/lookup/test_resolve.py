"""Schemes, settings and models around them that are refused, each with one line."""

import math
from pathlib import Path
from typing import Any

import pytest

from stages.core.encodings.lookup.resolve import resolve
from stages.core.settings.configuration import Architecture, Configuration
from stages.core.settings.errors import InputError


@pytest.mark.parametrize(
    ("scheme", "key", "value", "message"),
    [
        ("learned", "init_std", -0.1, "expected greater than or equal to 0"),
        ("learned", "init_std", "x", "expected a valid number"),
        ("learned", "init_std", math.nan, "expected a finite number"),
        ("learned", "sigma", 1, r"but learned has no sigma \(it takes init_std\); remove it"),
        ("sinusoidal_1d", "init_std", 0.1, "but sinusoidal_1d has no init_std"),
        ("laplacian", "components", 0, "expected greater than or equal to 1"),
        ("random_walk", "steps", 2.5, "expected a valid integer"),
        ("coordinates", "components", 3, "but coordinates has no components"),
        ("rope", "fraction", 0.0, "expected greater than 0"),
        ("rope", "fraction", 1.5, "expected less than or equal to 1"),
        ("fope", "gain", -0.1, "expected greater than or equal to 0"),
        ("tupe", "init_std", 0, "expected greater than 0"),
        ("rope_scaled", "method", "linear", "expected 'interpolation', 'ntk' or 'yarn'"),
        ("rope_scaled", "factor", 0.5, "expected greater than or equal to 1"),
        ("rope_scaled", "trained_tokens", 0, "expected greater than or equal to 1"),
        ("shaw", "max_distance", 0, "expected greater than or equal to 1"),
        ("shaw_key", "max_distance", 2.5, "expected a valid integer"),
        ("music_transformer", "init_std", -1, "expected greater than or equal to 0"),
        ("t5_bias", "buckets", 2, "expected greater than or equal to 4"),
        ("t5_bias", "buckets", 7, "expected a multiple of 2"),
        ("t5_bias", "max_distance", 8, "expected a max_distance beyond the 8 distances"),
        ("peg", "kernel", 4, "expected an odd number, with the token itself in the middle"),
        ("peg", "kernel", 1, "expected greater than or equal to 3"),
        ("deberta", "max_distance", 0, "expected greater than or equal to 1"),
        ("cope", "max_position", 0, "expected greater than or equal to 1"),
        ("liere", "size", 1, "expected greater than or equal to 2"),
        ("hop_bias", "limit", 0, "expected greater than or equal to 1"),
        ("rope_mixed", "positions", "mm", "expected 'coordinates' or 'spectral'"),
        ("kerple", "kernel", "log", "expected 'logarithmic' or 'power'"),
        ("sandwich", "columns", 7, "expected a multiple of 2"),
        ("sandwich", "columns", 0, "expected greater than or equal to 2"),
        ("erpe", "init_std", 0.1, "but erpe has no init_std"),
        ("alibi", "slope", 1, r"but alibi has no slope \(it takes nothing\)"),
        ("learned", "init_sd", 0.1, r".*; did you mean init_std\?$"),
        ("learned", "dropuot", 0.1, r".*; did you mean dropout\?$"),
        ("learned", "wher", 0.1, r".*; did you mean where\?$"),
    ],
)
def test_bad_settings_are_named(scheme: str, key: str, value: Any, message: str) -> None:
    with pytest.raises(ValueError, match=rf"^pe\.{key}: {value!r} given, {message}") as error:
        resolve(Configuration("pe", scheme, {key: value}))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [
        ("lerned", "learned$"),
        *((name, "one of .*learned, .*none, ") for name in (None, "interface", "catalogue")),
    ],
)
def test_files_that_are_no_scheme_are_named(scheme: str | None, expected: str) -> None:
    with pytest.raises(ValueError, match=rf"^pe\.scheme: {scheme!r} given, expected {expected}"):
        resolve(Configuration("pe", scheme, {}))


@pytest.mark.parametrize("name", ["Nearness", "nearness", "ALIBI2"])
def test_a_file_that_begins_with_a_capital_is_to_be_renamed(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("stages.core.encodings.lookup.resolve.FOLDER", tmp_path)
    file = tmp_path / f"{name.capitalize()}.py"
    file.touch()
    cure = f"rename stages/core/encodings/{file.name} and give its new name"
    with pytest.raises(
        InputError, match=f"^pe.scheme: '{name}' given, expected .* small letter a-z; {cure}$"
    ):
        resolve(Configuration("pe", name, {}))


def test_where_to_add_what_is_not_added_is_refused() -> None:
    with pytest.raises(ValueError, match="toeplitz_bias adds no table to the tokens"):
        resolve(Configuration("pe", "toeplitz_bias", {}, Architecture(where="input")))
    with pytest.raises(ValueError, match=r"^pe.dropout: 0.1 given, but rope adds no table to the tokens"):
        resolve(Configuration("pe", "rope", {}, Architecture(dropout=0.1)))
    resolve(Configuration("pe", "learned", {}, Architecture(where="input", dropout=0.1)))


@pytest.mark.parametrize("scheme", ["causal_none", "cope", "music_transformer"])
def test_a_mask_of_a_scheme_that_has_its_own_is_refused(scheme: str) -> None:
    with pytest.raises(ValueError, match=f"^pe.mask: 'causal' given, but {scheme} is causal itself"):
        resolve(Configuration("pe", scheme, {}, Architecture(mask="causal")))

"""Schemes, settings and positions that are refused, each with one line."""

import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hosts import ALONE, Settings, inputs, make_encoding, make_host, output, randomise

from stages.core.encodings.interface import DoesNotFit, Host, PositionalEncoding
from stages.core.encodings.lookup.check_class import check_class
from stages.core.encodings.lookup.resolve import resolve
from stages.core.positions.positions import Positions
from stages.core.settings.configuration import Architecture, Configuration
from stages.core.settings.errors import InputError

Method = Callable[..., Any]
COORDINATES = "needs coordinates.* lattice networks, brain regions, the probe and the word"
GRAPH = "needs the true graph.* the network, the recordings"


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


def test_so_many_buckets_that_the_usual_farthest_distance_has_its_own_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^pe\.max_distance: 128 given, expected .* beyond the 128 dist"):
        resolve(Configuration("pe", "t5_bias", {"buckets": 512}))


def made(**methods: Any) -> Any:
    """Return a class of a scheme with these methods."""
    return type("Encoding", (PositionalEncoding,), methods)


def right(self: Any, block: Any, logits: Any, q: Any, k: Any, x: Any, rows: Any) -> Any: ...
def swapped(self: Any, block: Any, logits: Any, k: Any, q: Any, x: Any, rows: Any) -> Any: ...
def short(self: Any, block: Any, logits: Any) -> Any: ...
def untyped(self: Any, host: Host, slope=0.5) -> None: ...  # type: ignore[no-untyped-def]
def of_no_yaml(self: Any, host: Host, slope: torch.Tensor) -> None: ...
def named_dropout(self: Any, host: Host, dropout: float = 0.0) -> None: ...
def named_mask(self: Any, host: Host, mask: str = "none", slope: float = 0.5) -> None: ...
def without_default(self: Any, host: Host, slope: float) -> None: ...


@pytest.mark.parametrize(
    ("methods", "message"),
    [
        ({"logit": right}, r"logit overrides no method; did you mean logits\?"),
        ({"Logits": right}, r"Logits overrides no method; did you mean logits\?"),
        (
            {"biases": right},
            r"biases overrides no method; did you mean .*\(table, condition, rotate, logits, weig",
        ),
        ({"logits": right, "tabel": short}, r"tabel overrides no method; did you mean table\?"),
        ({"logits": right, "mix_value": short}, r"mix_value overrides no method; did you mean mix_values\?"),
        ({"logits": right, "casual": True}, r"casual is never read; did you mean `causal = True`, in the c"),
        ({"logits": right, "Causal": True}, r"Causal is never read; did you mean `causal = True`"),
        ({"logits": right, "is_causal": True}, r"is_causal is never read; did you mean `causal = True`"),
        ({"__init__": named_dropout}, "setting 'dropout' given, but the model takes what is written for dr"),
        ({"__init__": named_mask}, "setting 'mask' given, but the model takes .*; rename it, such as own_m"),
        (
            {"logits": swapped},
            r"logits\(self, block, logits, k, q, x, rows\) given, expected .* k, x, rows\)$",
        ),
        ({"logits": short}, r"logits\(self, block, logits\) given, expected logits\(self, .* k, x, rows\)$"),
        ({"__init__": untyped}, "setting 'slope=0.5' given, expected a type .* such as 'slope: float = 0.5'"),
        ({"__init__": of_no_yaml}, "setting 'slope: torch.Tensor' given, expected a type that YAML has"),
        ({"__init__": without_default}, "setting 'slope: float' given, expected a type .* and a default"),
    ],
)
def test_faults_of_a_scheme_s_own_file_are_named(methods: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=f"^stages/core/encodings/nearness.py: {message}") as error:
        check_class("nearness", made(**methods))
    assert "\n" not in str(error.value)


def test_helpers_beside_a_method_may_have_any_other_name() -> None:
    check_class("nearness", made(logits=right, bias_of=short, _logit=short))


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


@pytest.mark.parametrize(
    ("scheme", "message"),
    [
        *(
            (name, COORDINATES)
            for name in ("rope_nd", "cpb", "fire", "rope_mixed", "liere", "fourier_features")
        ),
        ("sinusoidal_nd", COORDINATES),
        ("coordinates", COORDINATES),
        ("peg", COORDINATES),
        *((name, GRAPH) for name in ("laplacian", "hop_bias", "rrwp_bias")),
        ("random_walk", GRAPH),
        ("connectivity_gradients", "needs functional connectivity.* network .* recordings"),
    ],
)
def test_positions_that_a_scheme_needs_are_named(scheme: str, message: str) -> None:
    with pytest.raises(DoesNotFit, match=f"^{scheme} {message}"):
        make_encoding(scheme, host=replace(make_host(), positions=Positions(16)))


@pytest.mark.parametrize(
    ("scheme", "settings", "changes", "message"),
    [
        (
            "rope_nd",
            {},
            {"indices": range(-1, 16), "markers": (0,)},
            "1 marker token.* no true position; set markers to none",
        ),
        ("rope_nd", {}, {"head_width": 3}, "heads of 3 columns given, expected at least 4, two for each"),
        ("rope_mixed", {}, {"head_width": 1}, r"^rope_mixed: heads of 1 columns given, expected at least 2;"),
        ("liere", {}, {"head_width": 1}, r"^liere: heads of 1 columns given, expected at least 2; give the"),
        ("hop_bias", {}, {"indices": range(-1, 16), "markers": (0,)}, "1 marker token.* no true position"),
        ("rope", {"fraction": 0.3}, {}, r"^rope: fraction 0\.3 of heads of 6 columns given, expected two"),
    ],
)
def test_models_that_do_not_fit_are_named(
    scheme: str, settings: Settings, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        make_encoding(scheme, settings, replace(make_host(), **changes))


@pytest.mark.parametrize("n", [1, 2, 5])
@pytest.mark.parametrize("heads", [1, 2])
@pytest.mark.parametrize("head_width", [1, 2, 3])
@pytest.mark.parametrize("scheme", ALONE)
def test_an_odd_size_is_refused_or_acted_on(scheme: str, head_width: int, heads: int, n: int) -> None:
    """Not passed over, as by a rotation of no pair of columns."""
    line = np.arange(float(n))[:, None]
    far = np.abs(line - line.T)
    positions = Positions(n, line, np.diag(np.ones(n - 1), 1), np.exp(-far), {"line": far})
    size = (positions, make_host().generators, 2, heads * head_width, heads, head_width, head_width)
    host = Host(*size, tuple(range(n)), n_tables=2)
    try:
        encoding = randomise(make_encoding(scheme, {}, host)).double()
    except InputError as error:
        assert re.search(r"expected (at least )?(2|two) ?", str(error)) and head_width * heads < 3
        return
    table, attended, x = encoding.table(0), output(encoding, inputs(host)), inputs(host)[-1]
    conditioned = encoding.condition(1, x)
    assert (
        attended.isfinite().all()
        and conditioned.isfinite().all()
        and (table is None or table.isfinite().all())
    )
    if n == 5 and scheme != "none":  # of two tokens some schemes see no difference
        assert (
            table is not None
            and table.any()
            or not conditioned.equal(x)
            or not attended.equal(output(PositionalEncoding(), inputs(host)))
        )

"""Faults of a scheme's own file, each named."""

from typing import Any

import pytest
import torch

from stages.core.encodings.interface import Host, PositionalEncoding
from stages.core.encodings.lookup.check_class import check_class
from stages.core.settings.errors import InputError


def make_class(**methods: Any) -> Any:
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
        check_class("nearness", make_class(**methods))
    assert "\n" not in str(error.value)


def test_helpers_beside_a_method_may_have_any_other_name() -> None:
    check_class("nearness", make_class(logits=right, bias_of=short, _logit=short))

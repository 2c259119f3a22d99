"""Messages about a file of stages/core/encodings that somebody just wrote."""

import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest
import torch

import stages.core.encodings
from stages.core.encodings.interface import PositionalEncoding
from stages.core.encodings.lookup import resolve
from stages.core.settings.configuration import read_configuration
from stages.core.settings.errors import InputError
from stages.core.settings.sizes import Model
from stages.studies import schemes
from stages.studies.schemes import find_class
from stages.trial.rehearse import rehearse

SIZES = Model(width=8, blocks=1, heads=2, expansion=2)
HEAD = """
    import torch
    from torch import nn
    from stages.core.encodings.interface import PositionalEncoding


    class Encoding(PositionalEncoding):
"""


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """Make the file of a scheme `mine`, in a folder next to that of all others."""
    monkeypatch.setattr(stages.core.encodings, "__path__", [*stages.core.encodings.__path__, str(tmp_path)])
    monkeypatch.setattr(resolve, "schemes", lambda: ["mine"])
    monkeypatch.setattr(schemes, "FOLDER", tmp_path)
    yield tmp_path / "mine.py"
    sys.modules.pop("stages.core.encodings.mine", None)
    torch.set_default_dtype(torch.float32)


def said(path: Path, text: str) -> str:
    path.write_text(dedent(text), encoding="utf-8")
    with pytest.raises(ValueError) as error:
        find_class("mine")
        with schemes.explained("mine"):
            rehearse(read_configuration("pe", {"scheme": "mine"}), SIZES)
    assert "\n" not in str(error.value)
    return str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1", "stages/core/encodings/mine.py: no class Encoding; expected `class Encoding"),
        (
            "from torch import nn\nclass Encoding(nn.Module): pass",
            "stages/core/encodings/mine.py: Encoding is no",
        ),
        ("class Encoding(\n", "mine.py, line 1: '(' was never closed; mend that line"),
        (f"{HEAD}        pass", "mine.py: overrides nothing; expected one of table, cond"),
        (
            f"{HEAD}        def __init__(self, host): self.x = nn.Parameter(torch.ones(3))\n"
            "        def table(self, block): return self.x",
            "mine.py, line 8: AttributeError: cannot assign parameters before Module.__init__",
        ),
        (
            f"{HEAD}        def logits(self, block, logits, q, k, x, rows): return logits @ torch.ones(9, 9)",
            "mine.py, line 8: RuntimeError: ",
        ),
        (
            f"{HEAD}        def weights(self, block, weights, rows):\n            weights *= 0.5\n"
            "            return weights",
            "stages/core/encodings/mine.py: RuntimeError: one of the variables needed",
        ),
        (
            f"{HEAD}        def __init__(self, host):\n            super().__init__()\n"
            "            self.register_buffer('turn', torch.ones(5))\n"
            "        def rotate(self, block, q, k, rows): return q * self.turn[0], k",
            "mine: buffer turn has shape (5,), expected a first axis of 1, for all seeds together, or of 3",
        ),
        (
            f"{HEAD}        pass\n    torch.manual_seed(0)",
            "encodings/mine.py: draws from the global stream of torch or seeds it, expected host.gen",
        ),
        (
            f"{HEAD}        def __init__(self, host):\n            super().__init__()\n"
            "            torch.set_default_dtype(torch.float64)\n        def table(self, block): return None",
            "mine: sets torch.set_default_dtype (torch.float64, before torch.float32), which all that runs",
        ),
    ],
)
def test_a_mistake_is_one_line_that_says_where(written: Path, text: str, message: str) -> None:
    assert message in said(written, text)


@pytest.mark.parametrize("name", ["trained", "seeds", "start"])
def test_a_setting_named_as_a_key_of_a_cell_is_refused(written: Path, name: str) -> None:
    text = f"""{HEAD}
        def __init__(self, host, {name}: bool = True): super().__init__()
        def table(self, block): return None
    """
    message = f"mine.py: setting '{name}' given, but a study's cell takes what is written for {name}, expec"
    assert message in said(written, text)


def test_every_scheme_has_a_class_that_acts() -> None:
    for scheme in resolve.schemes():
        assert issubclass(find_class(scheme), PositionalEncoding)


def test_an_error_of_what_positions_lack_names_the_way_to_leave_such_tokens_out() -> None:
    with (
        pytest.raises(
            InputError, match=r"TypeError: .*NoneType.*; mend it; where host.positions lacks .*`require`"
        ),
        schemes.explained("mine"),
    ):
        float(None)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="ValueError: no; mend it$"), schemes.explained("mine"):
        raise ValueError("no")

"""Write the tables in the README.md of the encodings: what each does, from its file, and can do, by trial.

All else in that page is written by hand.
"""

import json
import re
from collections.abc import Iterable
from importlib import import_module
from inspect import cleandoc
from pathlib import Path

from stages.core import abilities
from stages.core.encodings.interface import METHODS, DoesNotFit, PositionalEncoding, overridden
from stages.core.encodings.lookup.check_class import settings_of
from stages.core.encodings.lookup.resolve import PARTS, schemes
from stages.core.plain import Encoding
from stages.core.settings.errors import InputError
from stages.files.artifacts import write_bytes

README = Path("stages/core/encodings/README.md")
LONGEST = 100  # letters of what an encoding does
# headers of the tables whose rows are written
METHOD = "| Method | What it changes |"
ENCODING = "| Encoding | What it does | Acts in | Settings | Source |"
TRIED = "| Encoding | Tells apart | Lengths | Packing | Steps | Door | Trained | Values |"


def write_readme(root: Path) -> None:
    """Write the tables of stages/core/encodings/README.md from the files of encodings."""
    page = (root / README).read_text(encoding="utf-8")
    write_bytes(root / README, fill_tables(page).encode())


def fill_tables(page: str) -> str:
    """Write the rows of a page's tables, of methods and of encodings; all else stays as it is."""
    methods = (row(f"`{name}`", getattr(PositionalEncoding, name).__doc__) for name in METHODS)
    page = fill_table(page, METHOD, methods)
    page = fill_table(page, ENCODING, map(describe, schemes()))
    return fill_table(page, TRIED, map(try_out, schemes()))


def fill_table(page: str, header: str, rows: Iterable[str]) -> str:
    """Put rows in the place of those below a header. Raises InputError where the page has no such table."""
    table = re.compile(rf"^({re.escape(header)}\n[-| ]+\n)(?:\|.*\n)*", re.MULTILINE)
    if not table.search(page):
        raise InputError(f"{README}: no table below the line {header}, expected one; put both there again")
    return table.sub(lambda found: found[1] + "".join(rows), page)


def try_out(scheme: str) -> str:
    """Try what one encoding can do, in a row of the table."""

    def make(n: int) -> Encoding:
        return Encoding(scheme, **abilities.SIZES, tokens=n)

    if PARTS in settings_of(import_module(f"stages.core.encodings.{scheme}").Encoding):
        return row(f"`{scheme}`", *[""] * 7)
    can = (abilities.takes_lengths, abilities.takes_documents, abilities.takes_steps)
    try:
        make(abilities.N)
    except DoesNotFit:
        return row(f"`{scheme}`", *[""] * 7)
    of_none = abilities.count_values(lambda n: Encoding("none", **abilities.SIZES))
    door = abilities.find_door(make)
    return row(
        f"`{scheme}`",
        f"{abilities.tell_apart(make)} of {abilities.N}",
        *("yes" if ability(make) else "no" for ability in can),
        f"`{door}`" if door else "",
        str(abilities.count_parameters(make)),
        f"{abilities.count_values(make) / of_none:.1f}",
    )


def describe(scheme: str) -> str:
    """Describe one encoding in a row of the table.

    Raises InputError if its docstring lacks what the row needs.
    """
    module = import_module(f"stages.core.encodings.{scheme}")
    said = re.fullmatch(rf"(.{{1,{LONGEST}}})\n(?:.*\n)*Source: (.*)\.", cleandoc(module.__doc__ or ""))
    if said is None:
        raise InputError(
            f"stages/core/encodings/{scheme}.py: expected a docstring with a first line of at most {LONGEST} "
            "letters and a last one `Source: ...` that ends with a full stop; write both"
        )
    acts = [f"`{name}`" for name in overridden(module.Encoding)] + ["causal mask"] * module.Encoding.causal
    settings = settings_of(module.Encoding).items()
    options = ", ".join(f"`{name}: {json.dumps(setting.default)}`" for name, setting in settings)
    return row(f"[`{scheme}`]({scheme}.py)", said[1], ", ".join(acts), options, said[2])


def row(*cells: str) -> str:
    """Return a row of a Markdown table."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"

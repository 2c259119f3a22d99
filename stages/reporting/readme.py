"""The tables of README.md, the only part of it that is generated: of means, and of claims."""

import re
from collections.abc import Sequence
from pathlib import Path

from stages.core.settings.errors import InputError
from stages.files import artifacts
from stages.reporting.sections import Judged, Section, count_verdicts
from stages.reporting.summary import write_summary

README = Path("README.md")
BEGIN, END = "<!-- claims: begin -->", "<!-- claims: end -->"
HEADER = "| claim | verdict | measured [interval] (n) | study |\n|---|---|---|---|\n"


def write_block(root: Path, sections: Sequence[Section], banner: str) -> str:
    """Write the means, how many claims hold, and the main ones; below the banner if there is one."""
    main = [(section, one) for section in sections for one in section.claims if one.claim.main]
    rows = [write_line(section, one) for section, one in main]
    above = f"> {banner}\n\n" if banner else ""
    return f"\n{above}{write_summary(root)}\n{count_verdicts(sections)}\n\n{HEADER}{''.join(rows)}"


def write_line(section: Section, one: Judged) -> str:
    verdict = f"{one.verdict}, before" if one.claim.stated == "before" else one.verdict
    return f"| {as_text(one.claim.told)} | {verdict} | {write_numbers(one)} | `{section.name}` |\n"


def write_numbers(one: Judged) -> str:
    """Write task, metric: what was measured [interval] (n) of the weakest test, or nothing if not run.

    Of several tests, the weakest names its sides. Tables that others trained have no task.
    """
    test = one.weakest
    if test is None or not one.measured:
        return ""
    correlated = test["metric"].startswith("correlation of ")
    named = "rank correlation" if correlated else test["metric"].removeprefix("validation ")
    unit = "" if " " in test["n"] else " models" if correlated else " seeds"
    sides = [test["sides"]] if len(one.tests) > 1 else []
    measured = ", ".join(filter(None, (test["key"], named, *sides)))
    return f"{measured}: {test['sum']} {test['interval']} ({test['n']}{unit})"


def as_text(words: str) -> str:
    """Escape words, so that Markdown shows them as they are, on one line."""
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", " ".join(words.split()))


def read_block(root: Path) -> str:
    """Return what is between the marks of README.md; InputError unless each mark is there once."""
    return split(root)[1].decode()


def insert_block(root: Path, block: str) -> None:
    """Put it between the marks of README.md and leave all else; InputError as above."""
    before, _, after = split(root)
    artifacts.write_bytes(root / README, before + block.encode() + after)


def split(root: Path) -> tuple[bytes, bytes, bytes]:
    """Split README.md: up to its first mark, between its marks, and from the second one on."""
    content, begin, end = (root / README).read_bytes(), BEGIN.encode(), END.encode()
    before, _, rest = content.partition(begin)
    block, found, after = rest.partition(end)
    if not found or content.count(begin) > 1 or content.count(end) > 1:
        raise InputError(
            f"{README}: expected the lines {BEGIN} and {END} in this order, each once; "
            "add what is missing, and delete what is there twice"
        )
    return before + begin, block, end + after

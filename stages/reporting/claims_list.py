"""List every claim in Markdown, which a host of git shows: those that do not hold first."""

from collections.abc import Sequence
from pathlib import Path

from stages.reporting.readme import as_text, write_numbers
from stages.reporting.sections import Judged, Section, count_of, count_verdicts
from stages.studies.tables import VERDICTS

CLAIMS = Path("reports/claims.md")
ORDER = ("opposed", "open", "holds")
ABOVE = """# Claims

A claim holds, is open (its intervals decide neither way), or is opposed (they say the opposite). Numbers
are those of its weakest test, with a 95 % interval, or 90 % where two things are claimed to be alike.
Intervals are not adjusted for how many claims there are. "Before": git had the claim before the last of
its scores. A random table is drawn and never trained. New pairs are neighbours on the network, or a
cell and its line in puzzles, that training never asks for.

"""


def write_claims(sections: Sequence[Section]) -> str:
    """Write every claim of the studies that ran, by verdict, with its number and its study."""
    every = [(section, one) for section in sections if section.ran for one in section.claims]
    kinds = [*ORDER, *(verdict for verdict in VERDICTS if verdict not in ORDER)]
    parts = [ABOVE, count_verdicts(sections), f" {count_of('Ito', sections)}\n"]
    for verdict in kinds:
        lines = [write_line(section, one) for section, one in every if one.verdict == verdict]
        parts += [f"\n## {verdict.capitalize()}\n\n", *lines] if lines else []
    return "".join(parts)


def write_line(section: Section, one: Judged) -> str:
    """Write a claim as an item of a list, with a link to the study as it is written."""
    stated = ", before" if one.claim.stated == "before" else ""
    said = f"- {as_text(one.claim.told)} {write_numbers(one)}".rstrip()
    return f"{said} ([{section.name}](../studies/{section.name}.yaml){stated})\n"

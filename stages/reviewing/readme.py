"""Rewrite the findings in README.md, between its markers, from the tables as they are now."""

from pathlib import Path

from stages.files import artifacts
from stages.parameters import params
from stages.report import TABLES
from stages.reporting.evidence import Evidence, read_tables, render
from stages.running.command import run

README = Path("README.md")
BEGIN, END = "<!-- findings: begin -->\n", "<!-- findings: end -->\n"
FURTHER = {  # tables that may be there: path -> the stage that makes it
    Path("reports/tables/controls.csv"): "stages.controls.gather",
    Path("reports/tables/variations.csv"): "stages.variations.gather",
    Path("reports/tables/transplants.csv"): "stages.transplants.gather",
    Path("reports/people/differences.csv"): "stages.people.gather",
    Path("reports/published/scores.csv"): "stages.published.gather",
    Path("reports/published/aligned.csv"): "stages.published.gather",
    Path("reports/published/beside.csv"): "stages.published.compare",
    Path("reports/published/pairs.csv"): "stages.published.compare",
}


def render_readme(root: Path) -> str:
    """README.md with its block as the tables have it; ValueError where its markers are missing."""
    known = {path: made_by for path, made_by in FURTHER.items() if (root / path).exists()}
    findings = Evidence(params.load(root / params.FILE), read_tables(root, TABLES | known))
    before, begin, rest = (root / README).read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{README}: no lines {BEGIN.strip()!r} and {END.strip()!r}; add them")
    return f"{before}{BEGIN}\n{render('readme.md.j2', findings)}{END}{after}"


def main(root: Path = Path()) -> None:
    artifacts.write_bytes(root / README, render_readme(root).encode())


if __name__ == "__main__":
    run(main)

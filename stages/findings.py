"""What was found, in words: numbers from the tables, claims chosen by their intervals.

Writes reports/findings.md; with --of variations or transplants their own page.
"""

import argparse
from pathlib import Path

from stages.files import artifacts
from stages.parameters import params
from stages.reporting.evidence import Evidence, read_tables, render
from stages.running.command import run

FINDINGS = Path("reports/findings.md")
TABLES = {  # path -> the stage that makes it
    Path("reports/tables/runs.csv"): "stages.align_tables",
    Path("reports/tables/alignment.csv"): "stages.align_tables",
    Path("reports/tables/probe.csv"): "stages.align_tables",
    Path("reports/tables/fixed_encodings.csv"): "stages.align_tables",
    Path("reports/tables/partial.csv"): "stages.describe_tables",
    Path("data/reference/lst_published_accuracy.csv"): "stages.align_tables",
}
APART = {  # pipelines apart from the main one: the table they make, and the page made from it here
    "variations": (Path("reports/tables/variations.csv"), Path("reports/variations.md")),
    "transplants": (Path("reports/tables/transplants.csv"), Path("reports/transplants.md")),
}


def read_evidence(root: Path) -> Evidence:
    """The main pipeline's tables."""
    return Evidence(params.load(root / params.FILE), read_tables(root, TABLES))


def read_apart(root: Path, name: str) -> Evidence:
    """The table of a pipeline apart."""
    tables = read_tables(root, {APART[name][0]: f"stages.{name}.gather"})
    return Evidence(params.load(root / params.FILE), tables)


def main(root: Path = Path()) -> None:
    artifacts.write_bytes(root / FINDINGS, render("findings.md.j2", read_evidence(root)).encode())


def run_command() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--of", choices=APART, help="a pipeline apart from the main one")
    arguments = parser.parse_args()
    if arguments.of:
        text = render(f"{arguments.of}.md.j2", read_apart(Path(), arguments.of))
        artifacts.write_bytes(APART[arguments.of][1], text.encode())
    else:
        main()


if __name__ == "__main__":
    run(run_command)

"""What a pipeline apart found, in words: reports/variations.md or reports/transplants.md, as --of says."""

import argparse
from pathlib import Path

from stages.files import artifacts
from stages.parameters import params
from stages.reporting.evidence import Evidence, read_tables, render
from stages.running.command import run

TABLES = Path("reports/tables")
APART = {  # pipelines apart from the main one: the tables they make, and the page made from them here
    "variations": (("variations", "over_floor"), Path("reports/variations.md")),
    "transplants": (("transplants",), Path("reports/transplants.md")),
}


def read_apart(root: Path, name: str) -> Evidence:
    """The tables of a pipeline apart."""
    tables = read_tables(root, {TABLES / f"{table}.csv": f"stages.{name}.gather" for table in APART[name][0]})
    return Evidence(params.load(root / params.FILE), tables)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--of", required=True, choices=APART, help="a pipeline apart from the main one")
    of = parser.parse_args().of
    artifacts.write_bytes(APART[of][1], render(f"{of}.md.j2", read_apart(Path(), of)).encode())


if __name__ == "__main__":
    run(main)

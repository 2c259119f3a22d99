"""The report for a reader: reports/report.html, one page that holds everything it shows.

A new section is a module of stages/reporting with a function `section(inputs)`, named in SECTIONS; a table
that it reads is named in TABLES, and both in dvc.yaml.
"""

import hashlib
from pathlib import Path

import pandas as pd

from stages import artifacts, params
from stages.command import run
from stages.figures.sigmas import learned_sigmas
from stages.reporting import (
    alignment,
    generalisation,
    morph,
    probe,
    provenance,
    published,
    reading,
    setup,
    sinusoid,
    summary,
    words,
)
from stages.reporting.inputs import Inputs
from stages.reporting.page import page
from stages.reporting.section import data_uri

SECTIONS = (
    *(summary.section, setup.section, morph.section, generalisation.section, published.section),
    *(alignment.section, reading.section, probe.section, words.section, sinusoid.section, provenance.section),
)
TABLES = [
    Path("reports/tables/runs.csv"),
    Path("reports/tables/alignment.csv"),
    Path("reports/tables/probe.csv"),
    Path("reports/tables/fixed_encodings.csv"),
    Path("data/reference/lst_published_accuracy.csv"),
    Path("data/reference/aal2_regions.csv"),
]
DATA = [Path("data/grid/puzzles.npz"), Path("data/network/frames.npz"), Path("data/recordings")]
SIMILARITY = Path("data/analysis/similarity.npz")
FIGURES = Path("reports/figures")
REPORT = Path("reports/report.html")
VERSIONS = Path(__file__).parent / "requirements.lock"
PACKAGES = ("torch", "numpy", "scipy", "pandas", "scikit-learn", "networkx", "matplotlib", "dvc")
TITLE = "What a learned positional encoding discovers"
KINDS = {".svg": "image/svg+xml", ".png": "image/png"}


def sha256(path: Path) -> str:
    """Of a file's bytes; of a folder, of its files' names and hashes."""
    if path.is_dir():
        inside = sorted(file for file in path.rglob("*") if file.is_file())
        listing = "".join(f"{file.name} {sha256(file)}\n" for file in inside)
        return hashlib.sha256(listing.encode()).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def figures() -> dict[str, str]:
    """Every figure as a data URI, by name: the smaller of its two files."""
    found = {}
    for svg in sorted(artifacts.existing(FIGURES, "render").glob("*.svg")):
        smaller = min((svg, svg.with_suffix(".png")), key=lambda file: file.stat().st_size)
        found[svg.stem] = data_uri(KINDS[smaller.suffix], smaller.read_bytes())
    return found


def tables() -> dict[str, pd.DataFrame]:
    """By name of the file; blocks are text."""
    paths = [artifacts.existing(path, "analyse") for path in TABLES]
    return {path.stem: artifacts.read_csv(path, block=str) for path in paths}


def versions() -> dict[str, str]:
    lines = [line.split("==") for line in VERSIONS.read_text().splitlines() if "==" in line]
    return {name.lower(): version for name, version in lines if name.lower() in PACKAGES}


def main() -> None:
    settings = params.load()
    inputs = Inputs(
        settings=settings,
        sigmas={task: learned_sigmas(settings, task) for task in params.TASKS},
        tables=tables(),
        similarity=artifacts.read_arrays(artifacts.existing(SIMILARITY, "analyse")),
        figures=figures(),
        sha256={str(path): sha256(path) for path in [*DATA, SIMILARITY, *TABLES]},
        versions=versions(),
    )
    subtitle = f"Experiments after Ito et al. (arXiv 2406.08272), scale {settings.scale}"
    sections = [section(inputs) for section in SECTIONS]
    artifacts.write_bytes(REPORT, page(TITLE, subtitle, sections).encode())


if __name__ == "__main__":
    run(main)

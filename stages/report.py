"""The report for a reader, reports/report.html, and what was found in words, reports/findings.md.

A new section is a function of stages/reporting, named in SECTIONS. A table that it reads is named in TABLES
and in dvc.yaml.
"""

import hashlib
from pathlib import Path

from stages.files import artifacts
from stages.parameters import params
from stages.parameters.sigmas import learned_sigmas
from stages.reporting import (
    configuration,
    doubts,
    learned_tables,
    morph,
    people,
    provenance,
    published,
    scores,
    summary,
    theory,
    trained_models,
)
from stages.reporting.evidence import Evidence, read_tables, render
from stages.reporting.inputs import Inputs
from stages.reporting.page import page
from stages.running.command import run
from stages.tasks.facts import DATA, find_facts

SECTIONS = (
    *(summary.section, doubts.section, configuration.section, morph.section),
    *(scores.section, scores.compare_section, published.section, people.section),
    *(learned_tables.alignment_section, learned_tables.partial_section, learned_tables.communities_section),
    *(learned_tables.geometry_section, learned_tables.reading_section),
    *(trained_models.attention_section, trained_models.interventions_section),
    *(trained_models.robustness_section, theory.probe_section, theory.longer_section),
    theory.sinusoid_section,
    provenance.section,
)
TABLES = {  # path -> the stage that makes it
    Path("reports/tables/runs.csv"): "stages.align_tables",
    Path("reports/tables/alignment.csv"): "stages.align_tables",
    Path("reports/tables/probe.csv"): "stages.align_tables",
    Path("reports/tables/fixed_encodings.csv"): "stages.align_tables",
    Path("reports/tables/geometry.csv"): "stages.describe_tables",
    Path("reports/tables/communities.csv"): "stages.describe_tables",
    Path("reports/tables/partial.csv"): "stages.describe_tables",
    Path("reports/tables/tests.csv"): "stages.test_differences",
    Path("reports/tables/intervals.csv"): "stages.test_differences",
    Path("reports/tables/people.csv"): "stages.test_differences",
    Path("reports/tables/attention.csv"): "stages.map_attention",
    Path("reports/tables/interventions.csv"): "stages.intervene",
    Path("reports/tables/robustness.csv"): "stages.perturb_inputs",
    Path("reports/tables/longer.csv"): "stages.ask_longer",
    Path("data/reference/lst_published_accuracy.csv"): "stages.align_tables",
}
SIMILARITY = Path("data/analysis/similarity.npz")
LAYOUTS = Path("data/analysis/layouts.npz")
REPORT, FINDINGS = Path("reports/report.html"), Path("reports/findings.md")
VERSIONS = Path(__file__).parent / "requirements.lock"
PACKAGES = ("torch", "numpy", "scipy", "pandas", "scikit-learn", "networkx", "matplotlib", "dvc")
TITLE = "What a learned positional encoding discovers"


def sha256(path: Path) -> str:
    """Of a file's bytes; of a folder, of its files' names and hashes."""
    if path.is_dir():
        inside = sorted(file for file in path.rglob("*") if file.is_file())
        listing = "".join(f"{file.name} {sha256(file)}\n" for file in inside)
        return hashlib.sha256(listing.encode()).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def versions() -> dict[str, str]:
    lines = [line.split("==") for line in VERSIONS.read_text().splitlines() if "==" in line]
    return {name.lower(): version for name, version in lines if name.lower() in PACKAGES}


def main(root: Path = Path()) -> None:
    settings = params.load(root / params.FILE)
    data = [DATA / task for task in settings.tasks if find_facts(task).made_by]
    inputs = Inputs(
        settings=settings,
        sigmas={task: learned_sigmas(settings, task) for task in settings.tasks},
        tables=read_tables(root, TABLES),
        similarity=artifacts.read_arrays(artifacts.require(root / SIMILARITY, "stages.align_tables")),
        layouts=artifacts.read_arrays(artifacts.require(root / LAYOUTS, "stages.describe_tables")),
        sha256={str(path): sha256(root / path) for path in [*data, SIMILARITY, LAYOUTS, *TABLES]},
        versions=versions(),
    )
    subtitle = f"Experiments after Ito et al. (arXiv 2406.08272), scale {settings.scale}"
    sections = [section(inputs) for section in SECTIONS]
    artifacts.write_bytes(root / REPORT, page(TITLE, subtitle, sections).encode())
    findings = Evidence(settings, inputs.tables)
    artifacts.write_bytes(root / FINDINGS, render("findings.md.j2", findings).encode())


if __name__ == "__main__":
    run(main)

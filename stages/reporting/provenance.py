"""What the results depend on: versions of packages, hashes of data and tables."""

import pandas as pd

from stages.reporting.inputs import Inputs
from stages.reporting.parts import Column, Section, Table

SHORT = 12  # digits of a hash that are shown


def section(inputs: Inputs) -> Section:
    return Section(
        key="provenance",
        title="Provenance",
        question="Would someone else get the same?",
        paragraphs=[
            "The same tables give this report byte for byte; on one machine with these versions the pipeline "
            "gives the same tables. Versions are those that training depends on (stages/requirements.lock)."
        ],
        tables=[
            Table(
                "hashes",
                f"First {SHORT} digits of the sha256 of inputs and tables; no unit, no interval. A "
                "folder's is that of its files' names and hashes.",
                pd.DataFrame(
                    [(path, digest[:SHORT]) for path, digest in inputs.sha256.items()],
                    columns=["path", "sha256"],
                ),
                [Column("path", "file"), Column("sha256", "sha256")],
            ),
            Table(
                "versions",
                "Package versions; no unit, no interval.",
                pd.DataFrame(inputs.versions.items(), columns=["package", "version"]),
                [Column("package", "package"), Column("version", "version")],
            ),
        ],
    )

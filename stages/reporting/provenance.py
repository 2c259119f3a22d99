"""What the results depend on: versions of packages, hashes of data and tables."""

import pandas as pd

from stages.reporting.inputs import Inputs
from stages.reporting.parts import Column, Section, Table
from stages.reporting.prose import fill_in, write_section

SHORT = 12  # digits of a hash that are shown
HASHES = [Column("path", "file"), Column("sha256", "sha256")]
VERSIONS = [Column("package", "package"), Column("version", "version")]


def section(inputs: Inputs) -> Section:
    texts = fill_in("provenance", digits=SHORT)
    hashes = pd.DataFrame(inputs.sha256.items(), columns=["path", "sha256"])
    hashes["sha256"] = hashes.sha256.str[:SHORT]
    versions = pd.DataFrame(inputs.versions.items(), columns=["package", "version"])
    tables = [
        Table("hashes", texts["hashes"], hashes, HASHES),
        Table("versions", texts["versions"], versions, VERSIONS),
    ]
    return write_section(texts, tables)

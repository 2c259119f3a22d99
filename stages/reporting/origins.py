"""Say which code and which machine made a study's scores, from its made_by.csv in git."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from stages.files.artifacts import read_csv
from stages.studies.tables import report_path

TABLE = "made_by"
TEXT = ("commit", "processor", "device", "precision", "torch", "python")  # columns


def list_origins(root: Path, names: Sequence[str]) -> list[dict[str, str]]:
    """List what is known of each study that has such a table: its cells, commits, machines and hours."""
    paths = {name: root / report_path(name, TABLE) for name in names}
    return [describe_origin(name, read_csv(path, *TEXT)) for name, path in paths.items() if path.is_file()]


def describe_origin(name: str, table: pd.DataFrame) -> dict[str, str]:
    """Join the different values of every column, empty ones left out."""
    table = table.reindex(columns=[*TEXT, "seconds"])
    joined = {column: ", ".join(filter(None, dict.fromkeys(table[column].dropna()))) for column in TEXT}
    hours = table.seconds.sum() / 3600
    return {"study": name, "cells": str(len(table)), "hours": f"{hours:.1f}", **joined}

"""Data that a study asks for under changed parameters: data/studies/<study>/data/<name>."""

import argparse
from importlib import import_module
from pathlib import Path

from stages.parameters.checking import check
from stages.parameters.errors import InputError, one_of
from stages.running.command import run
from stages.studies.cells import FOLDER, Data, read_cells, settings_for
from stages.tasks.facts import find_facts


def make_data(root: Path, study: str, name: str) -> None:
    """Make them as the task's own are made; InputError where the study has none of that name."""
    known = read_cells(root, study)["data"]
    if name not in known:
        raise InputError(f"study {study} has no data '{name}'; expected {one_of(name, known)}")
    data = check(Data, known[name], f"{study}.{name}")
    settings = settings_for(root, data.task, data.scale, data.set)
    import_module(find_facts(data.task).made_by).make(settings, root, root / FOLDER / study / "data" / name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--study", required=True, help="a file of studies/")
    parser.add_argument("--data", required=True, help="a name of `data` in studies/<study>/cells.yaml")
    chosen = parser.parse_args()
    make_data(Path(), chosen.study, chosen.data)


if __name__ == "__main__":
    run(main)

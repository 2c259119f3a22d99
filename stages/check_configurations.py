"""Every parameter of every task and every configuration, checked before the first cell is trained."""

from pathlib import Path

from stages.encodings.interface import resolve
from stages.files.artifacts import write_json
from stages.parameters import params
from stages.running.command import run
from stages.tasks.facts import find_facts

CHECKED = Path("data/configurations.json")


def main(root: Path = Path()) -> None:
    settings = params.load(root / params.FILE)
    for task in settings.tasks:
        find_facts(task).check_parameters(settings)
        settings.model(task), settings.training(task)
        for name in settings.configurations(task):
            resolve(settings.configuration(task, name))
    write_json(root / CHECKED, {"valid": True})  # says no more, so that a new configuration is trained alone


if __name__ == "__main__":
    run(main)

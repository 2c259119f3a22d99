"""Every parameter of every task and every configuration, checked before the first cell is trained.

What stages depend on in place of the parameters: cells on their being valid, analysis on what they are.
"""

from dataclasses import asdict
from pathlib import Path

from stages.encodings.interface import resolve
from stages.files.artifacts import write_json
from stages.parameters import params
from stages.running.command import run
from stages.tasks.facts import find_facts

CHECKED = Path("data/configurations.json")
SWEEP = Path("data/sweep.json")


def main(root: Path = Path()) -> None:
    settings = params.load(root / params.FILE)
    for task in settings.tasks:
        find_facts(task).check_parameters(settings)
        settings.model(task), settings.training(task)
        for name in settings.configurations(task):
            resolve(settings.configuration(task, name))
    write_json(root / CHECKED, {"valid": True})  # says no more, so that a new configuration is trained alone
    sizes = {task: asdict(of_task) for task, of_task in settings.scales[settings.scale].items()}
    swept = {"pe": settings.pe, "tasks": settings.tasks, "sweep": settings.sweep}
    write_json(root / SWEEP, swept | {"scales": {settings.scale: sizes}})


if __name__ == "__main__":
    run(main)

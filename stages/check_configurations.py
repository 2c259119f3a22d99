"""Every parameter of every task and every configuration, checked before the first cell is trained.

What stages depend on in place of the parameters: cells on their being valid, analysis on what they are.
"""

import re
from dataclasses import asdict
from pathlib import Path

from stages.encodings.interface import resolve
from stages.files.artifacts import write_json
from stages.parameters import params
from stages.parameters.params import Params
from stages.running.command import run
from stages.tasks.facts import find_facts

CHECKED = Path("data/configurations.json")
SWEEP = Path("data/sweep.json")
PROJECT = Path(__file__).parents[1]


def check(settings: Params) -> None:
    """ValueError for the first parameter or configuration that no task can use."""
    for task in settings.tasks:
        find_facts(task).check_parameters(settings)
        settings.model(task), settings.training(task)
        for name in settings.configurations(task):
            resolve(settings.configuration(task, name))


def check_groups(settings: Params) -> None:
    """ValueError for a task whose dvc.yaml trains other groups of the sweep than `tasks` says."""
    for task in params.task_names():
        pipeline = f"stages/tasks/{task}/dvc.yaml"
        if not (PROJECT / pipeline).exists():  # a replay runs the stages without dvc
            continue
        text = (PROJECT / pipeline).read_text(encoding="utf-8")
        trained = re.findall(r"foreach: \$\{sweep\.(\w+)\}", text)
        given = settings.tasks.get(task)
        if given is None or set(given) != set(trained):
            raise ValueError(
                f"tasks.{task}: {'missing' if given is None else f'{given} given'}, but {pipeline} trains "
                f"{trained}; say the same here (to train less, empty a group of sweep, as in `grid: {{}}`)"
            )


def main(root: Path = Path()) -> None:
    settings = params.load(root / params.FILE)
    check(settings)
    check_groups(settings)
    write_json(root / CHECKED, {"valid": True})  # says no more, so that a new configuration is trained alone
    sizes = {task: asdict(of_task) for task, of_task in settings.scales[settings.scale].items()}
    swept = {"pe": settings.pe, "tasks": settings.tasks, "sweep": settings.sweep}
    write_json(root / SWEEP, swept | {"scales": {settings.scale: sizes}})


if __name__ == "__main__":
    run(main)

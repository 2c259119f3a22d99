"""Which training cells of a run can train as one stack: those that differ in their initial values alone."""

from collections.abc import Mapping

from stages.parameters.params import Params

COMMAND = "python -m stages.train --task {} --configuration {}"


def find_stacks(settings: Params, commands: Mapping[str, str]) -> dict[str, str]:
    """For each stage that trains a cell: what is equal in all cells of its stack.

    commands: of each stage.
    """
    stacks = {}
    for task in settings.tasks:
        for name in settings.configurations(task):
            stacks[COMMAND.format(task, name)] = f"{task} {settings.configuration(task, name).shape}"
    return {stage: stacks[command] for stage, command in commands.items() if command in stacks}


def join_commands(commands: list[str]) -> str:
    """The command that trains the cells of several, which differ in their last word, as one stack."""
    return " ".join([commands[0], *(command.split()[-1] for command in commands[1:])])

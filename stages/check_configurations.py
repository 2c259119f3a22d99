"""Every configuration's scheme and settings, checked before the first one is trained."""

from pathlib import Path

from stages.encodings.interface import resolve
from stages.files.artifacts import write_json
from stages.parameters import params
from stages.running.command import run

CHECKED = Path("data/configurations.json")


def main() -> None:
    settings = params.load()
    for task in params.TASKS:
        for name in settings.configurations(task):
            resolve(settings.configuration(task, name))
    write_json(CHECKED, {"valid": True})  # says no more, so that a new configuration is trained alone


if __name__ == "__main__":
    run(main)

"""Every scheme on every task, and the published sigmas on the grid, added to the sweep of params.yaml.

Training skips a scheme that needs positions which the task does not have. For scale paper on a GPU: far too
much for two cores.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from stages.encodings.interface import schemes
from stages.files.artifacts import write_atomically
from stages.parameters import params
from stages.running.command import run

NULL = "tag:yaml.org,2002:null"  # written out, where ruamel leaves a blank
PUBLISHED_SIGMAS = [round(0.1 * step, 1) for step in range(1, 21)]  # of Ito et al. (arXiv 2406.08272)


def widen(sweep: dict[str, dict[str, dict[str, Any]]], tasks: Mapping[str, Sequence[str]]) -> int:
    """Add to each task's last group, in place, what the task lacks; return how many were added.

    Raises ValueError for a task without a group.
    """
    learned = {f"learned_s{100 * sigma:03.0f}": {"init_std": sigma} for sigma in PUBLISHED_SIGMAS}
    added = 0
    for task, groups in tasks.items():
        if not groups:
            raise ValueError(f"tasks.{task}: no group of the sweep, expected one to add to; name a group")
        wanted = {name: {"scheme": "learned"} | std for name, std in learned.items() if task == "grid"}
        present = {name: dict(values) for group in groups for name, values in sweep[group].items()}
        used = {values.get("scheme") for values in present.values()}
        wanted |= {scheme: {"scheme": scheme} for scheme in schemes() if scheme not in used}
        for name, values in wanted.items():
            if name not in present and values not in present.values():
                sweep[groups[-1]][name] = values
                added += 1
    return added


def main(root: Path = Path()) -> None:
    path = root / params.FILE
    params.load(path)  # a mistake in the file is one line
    yaml = YAML()  # keeps comments and order
    yaml.width = 200
    yaml.representer.add_representer(type(None), lambda self, _: self.represent_scalar(NULL, "null"))
    values = yaml.load(path)
    added = widen(values["sweep"], values["tasks"])
    with write_atomically(path) as beside:
        yaml.dump(values, beside)
    print(f"{path}: {added} configurations added to the sweep; `git checkout {path}` removes them")


if __name__ == "__main__":
    run(main)

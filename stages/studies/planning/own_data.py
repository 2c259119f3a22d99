"""Data that a study makes for its own cells, in place of the task's usual ones, and the baselines of each."""

from collections import Counter
from pathlib import Path
from typing import Any

from stages.core.settings.errors import InputError
from stages.studies.cells import DONORS, FOLDER, Baselines, Cell, Data
from stages.studies.changes import Values, of_data
from stages.studies.schema import Study
from stages.tasks.facts import DATA, find_facts


class DataOf:
    """Collect what data the cells of a study need, each once, and of which of them baselines are scored."""

    def __init__(self, name: str, study: Study) -> None:
        self.folder, self.study = FOLDER / name / "data", study
        self.usual: dict[str, Data] = {}
        self.own: dict[str, Data] = {}
        self.wanted: dict[str, Any] = {}  # by what each of `own` was asked for
        self.baselines: dict[str, Baselines] = {}
        starts = [cell.get("start") or {} for cell in study.cells.values()]
        self.givers = {start[part] for start in starts for part in DONORS if part in start}

    def place(self, cell: Cell) -> Path | None:
        """Find the folder of a cell's data; None where its task makes up its own."""
        facts, changes = find_facts(cell.task), of_data(cell.changes)
        if not facts.made_by:
            folder, name = None, cell.task
        elif not changes and self.study.scale is None:
            folder, name = DATA / cell.task, cell.task
            self.usual[name] = Data(cell.task, folder, cell.settings)
        else:
            name = self.find_own(cell, changes)
            folder = self.folder / name
        if facts.floors and folder and cell.name not in self.givers:  # whose data may be others
            self.add_baselines(f"floors-{name}", cell, folder, changes)
        return folder

    def find_own(self, cell: Cell, changes: Values) -> str:
        """Name the data of the study's own under these changes, which cells may share."""
        asked = (cell.task, changes)
        for name, known in self.wanted.items():
            if known == asked:
                return name
        name = cell.label if changes else cell.task
        self.wanted[name] = asked
        self.own[name] = Data(cell.task, self.folder / name, cell.settings)
        return name

    def add_baselines(self, name: str, cell: Cell, folder: Path, changes: Values) -> None:
        """Note that these data are those of the cell's value of the axis too."""
        known = self.baselines.get(name)
        at = () if known is None else known.at
        if known is None or cell.at not in at:
            settings = cell.settings if known is None else known.settings
            self.baselines[name] = Baselines(cell.task, folder, settings, (*at, cell.at), changes)

    def join_baselines(self) -> dict[str, Baselines]:
        """Give baselines to no value of the axis where a task has the same data at each.

        Raises InputError where one value has baselines of two data: scores could not tell them apart.
        """
        count = Counter(one.task for one in self.baselines.values())
        of_value: dict[tuple[str, str], Baselines] = {}
        joined = {}
        for name, one in self.baselines.items():
            for at in one.at:
                other = of_value.setdefault((one.task, at), one)
                if other is not one:
                    both = " and ".join(describe_changes(each.changes) for each in (other, one))
                    raise InputError(
                        f"set: {one.task} has two data {f'at {at}' if at else 'without an axis'} ({both}), "
                        "whose baselines would have one name; name the data by axis: {settings: {one: "
                        "{network.noise: 0.1}, other: {}}}, with `at: [one]` in a cell of one alone"
                    )
            alone = count[one.task] == 1
            at_all = ("",) if alone else one.at
            joined[name] = Baselines(one.task, one.data, one.settings, at_all, one.changes)
        return joined


def describe_changes(changes: Values) -> str:
    """Write in which parameters data differ from the usual ones."""
    return ", ".join(f"{key} {value}" for key, value in changes.items()) or "as usual"

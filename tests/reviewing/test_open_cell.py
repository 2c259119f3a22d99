"""The lines for a notebook in reports/README.md run as written, in one after the other."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from changed_params import ROOT
from small_studies import cells_of, write_study

from stages.cells.key_files import FILE
from stages.cells.keys import find_keys
from stages.cells.make_cell import Place, make_cell
from stages.core.positions.sinusoids import sinusoid
from stages.core.settings.errors import InputError
from stages.data import make
from stages.files.artifacts import write_csv, write_json
from stages.parameters import params
from stages.reviewing.open_cell import open_cell
from stages.studies.cells import cell_folder, read_data
from stages.studies.planning.expand import expand
from stages.studies.planning.load import load_study
from stages.studies.scoring.score_cell import score_cell
from stages.studies.tables import SCORES, report_path

AXIS = {"of": "init_std", "values": [0.2]}
LINES = re.findall(
    r"```python\n(.*?)```", (ROOT / "reports/README.md").read_text(encoding="utf-8"), re.DOTALL
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Train and score one cell of a study called as the README's."""
    root = write_study(tmp_path_factory.mktemp("notebook"), {}, axis=AXIS)
    (root / "studies/own.yaml").rename(root / "studies/sigma.yaml")
    make(root, "network")
    (cell,) = cells_of(axis=AXIS).values()
    folder = cell_folder(root, "sigma", cell.label)
    place = Place(folder.parent, root / "checkpoint", root / "progress", root / "kernels", "")
    folder.mkdir(parents=True)
    make_cell(cell, read_data(root, cell.data), place, folder)
    write_csv(root / report_path("sigma", "scores"), score_cell(root, folder, cell, [])[SCORES])
    return root


def test_the_lines_run_and_say_what_the_scores_say(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    np.save("table.npy", sinusoid(np.arange(64.0), 16))
    held: dict[str, Any] = {}
    for lines in LINES:
        exec(lines, held)
    cell = held["cell"]
    assert len(LINES) == 5 and len(held["new"]) == len(cell.cell.seeds)
    tables = held["scores"].query("metric == 'alignment_communities' and seed == 0 and cell == 'learned'")
    assert held["alignment"] == pytest.approx(tables.value.item())
    assert held["found"].order_right == 100 and held["found"].alignment > 0.5 > abs(held["chance"].alignment)
    assert cell.drawn.shape == cell.tables.shape and np.any(cell.drawn != cell.tables)


def test_a_cell_that_is_not_there_is_told(project: Path) -> None:
    with pytest.raises(
        InputError, match="cell 'network-learned-2' is not in sigma; expected network-learned-0_2"
    ):
        open_cell(project, "sigma", "network-learned-2")


def test_a_cell_of_other_settings_is_refused(project: Path) -> None:
    (label,) = (folder.name for folder in cell_folder(project, "sigma", "any").parent.iterdir())
    folder = cell_folder(project, "sigma", label)
    known = expand("sigma", load_study(project, "sigma"), params.read(project / params.FILE)).cells
    key = find_keys(project, known, [label])[label]
    write_json(folder / FILE, key)
    assert open_cell(project, "sigma", label).cell == known[label]
    write_json(folder / FILE, key | {"model": key["model"] | {"heads": 4}, "seed": 1})
    with pytest.raises(InputError, match=rf"{label}' was trained with other settings \(seed, model\) than"):
        open_cell(project, "sigma", label)
    (folder / FILE).unlink()

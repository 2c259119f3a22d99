from dataclasses import asdict
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from made_up import SWEEP, project

from stages.controls import control, draw, gather
from stages.controls.control import configure, with_seeds
from stages.controls.settings import COLUMNS, FILE, Controls, load_controls
from stages.files.artifacts import read_csv
from stages.parameters import params
from stages.tasks.facts import find_facts

ROOT = Path(__file__).parents[2]
CONTROLS = Controls(
    seeds=3,
    init_std=[0.1, 1.0],
    distances={"grid": "same_line", "network": "graph_distance", "recordings": "functional"},
    tables={
        "learned": {"scheme": "learned"},
        "aligned": {"scheme": "mds"},
        "exchanged": {"scheme": "mds", "exchanged": True},
    },
)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A made-up project with every control of the network and some of the grid's."""
    folder = tmp_path_factory.mktemp("controls")
    project(folder, SWEEP)
    (folder / FILE).parent.mkdir(parents=True)
    (folder / FILE).write_text(yaml.safe_dump({"controls": asdict(CONTROLS)}, sort_keys=False))
    for table in CONTROLS.tables:
        for init_std in CONTROLS.init_std:
            control.control(folder, "network", table, init_std)
    control.control(folder, "grid", "aligned", 0.1)
    gather.main(folder)
    draw.main(folder)
    return folder


def test_a_row_for_each_seed_with_scores_and_alignment(root: Path) -> None:
    rows = read_csv(root / gather.TABLE)
    assert list(rows.columns) == COLUMNS
    network = rows[rows.task == "network"]
    assert (network.groupby(["table", "init_std"]).seed.apply(list).map(len) == 3).all() and len(
        network
    ) == 18
    assert (network.metric == "mse").all() and (network.reference == "communities").all()
    assert network.value.between(0.1, 3).all() and network.train.between(0.1, 3).all()
    aligned = network.groupby("table").alignment.mean()
    assert aligned["aligned"] > 0.7 and abs(aligned["exchanged"]) < 0.4
    fixed = network[network.table == "aligned"].set_index(["init_std", "seed"]).alignment
    np.testing.assert_allclose(fixed[0.1], fixed[1.0], rtol=1e-5)  # of any size, never trained


def test_the_page_has_every_task_and_says_what_is_told_apart(root: Path) -> None:
    html = (root / "reports/controls/page.html").read_text()
    assert "Simulated network" in html and "aligned tables are better than exchanged ones at" in html
    assert (root / draw.FIGURE).with_suffix(".png").stat().st_size > 10_000


def test_better_and_worse_follow_the_task_s_score() -> None:
    rows = scored({"aligned": [1.0, 1.1, 1.2], "exchanged": [2.0, 2.2, 2.1]})
    lower, higher = (draw.section(find_facts(task), rows.assign(task=task)) for task in ("network", "grid"))
    assert "aligned tables are better than exchanged ones at 0.1, worse at no σ" in lower.points[0]
    assert "aligned tables are better than exchanged ones at no σ, worse at 0.1" in higher.points[0]


def scored(values: dict[str, list[float]]) -> pd.DataFrame:
    """Rows of controls.csv at σ = 0.1 with these scores."""
    return pd.DataFrame([
        ("", table, 0.1, seed, "mse", 1.0, value, "communities", 0.5)
        for table, of_table in values.items()
        for seed, value in enumerate(of_table)
    ], columns=COLUMNS)  # fmt: skip


def test_configurations_and_seeds(root: Path) -> None:
    made = configure(CONTROLS, "grid", "exchanged", 0.1)
    assert (made.scheme, made.settings) == (
        "mds",
        {"distances": "same_line", "init_std": 0.1, "exchanged": True},
    )
    assert configure(CONTROLS, "grid", "learned", 1.0).settings == {"init_std": 1.0}
    with pytest.raises(
        ValueError, match="aligned at 0.3 is not known; expected one of learned, aligned, exch"
    ):
        configure(CONTROLS, "grid", "aligned", 0.3)
    settings = params.load(root / "params.yaml")
    changed = with_seeds(settings, "grid", 7)
    assert changed.training("grid").seeds == 7 and settings.training("grid").seeds == 2
    assert changed.training("network") == settings.training("network")


def test_without_any_control_one_line_names_the_cure(tmp_path: Path) -> None:
    (tmp_path / FILE).parent.mkdir(parents=True)
    (tmp_path / FILE).write_text(yaml.safe_dump({"controls": asdict(CONTROLS)}))
    with pytest.raises(ValueError, match="data/controls holds no control; run `make controls`$"):
        gather.main(tmp_path)


def test_files_are_named_as_dvc_names_them() -> None:
    given = params.read(ROOT / FILE)["controls"]["init_std"]
    assert [str(init_std) for init_std in given] == [
        f"{init_std:g}" for init_std in load_controls(ROOT).init_std
    ]

import re
from pathlib import Path

import pytest
from changed_params import Changes, write_params

from stages import check_configurations
from stages.files.artifacts import read_json
from stages.parameters.params import read


def test_the_project_s_own_configurations_are_valid(tmp_path: Path) -> None:
    write_params(tmp_path, {"scale": "small"})
    check_configurations.main(tmp_path)
    assert (tmp_path / "data/configurations.json").is_file()
    settings, swept = read(tmp_path / "params.yaml"), read_json(tmp_path / "data/sweep.json")
    assert {key: swept[key] for key in ("pe", "tasks", "sweep")} == {
        key: settings[key] for key in ("pe", "tasks", "sweep")
    }
    grid = settings["scales"]["small"]["grid"]
    assert list(swept["scales"]) == ["small"] and swept["scales"]["small"]["grid"] == grid


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"sweep.words.late": {"scheme": "lerned"}},
            "sweep.words.late.scheme: 'lerned' given, expected one of alibi, ",
        ),
        ({"grid.order": 9}, "grid.order: 9 given, expected less than or equal to 6"),
        ({"network.tau": 1.0}, "network.tau: unknown key; remove it or correct its spelling"),
        ({"scales.smoke.recordings.data": {}}, "scales.smoke.recordings.data.frame_step: missing; add it"),
        ({"scales.smoke.probe.training.epochs": 0}, "scales.smoke.probe.training.epochs: 0 given, expected"),
        (
            {"tasks.grid": ["space"]},
            "tasks.grid: ['space'] given, but stages/tasks/grid/dvc.yaml trains ['space', 'grid']; say",
        ),
    ],
)
def test_a_mistake_in_any_task_s_parameters_is_found(changes: Changes, message: str, tmp_path: Path) -> None:
    write_params(tmp_path, changes)
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        check_configurations.main(tmp_path)
    assert not (tmp_path / "data").exists()

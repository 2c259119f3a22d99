import re
from pathlib import Path

import pytest

from stages import check_configurations

ROOT = Path(__file__).parents[1]


def test_the_project_s_own_configurations_are_valid(tmp_path: Path) -> None:
    (tmp_path / "params.yaml").write_text((ROOT / "params.yaml").read_text())
    check_configurations.main(tmp_path)
    assert (tmp_path / "data/configurations.json").is_file()


def test_the_last_configuration_s_mistake_is_found(tmp_path: Path) -> None:
    text = (ROOT / "params.yaml").read_text()
    text = text.replace("  grid:\n    rope:", "  grid:\n    late: {scheme: lerned}\n    rope:")
    (tmp_path / "params.yaml").write_text(text)
    with pytest.raises(
        ValueError, match=r"^sweep\.grid\.late\.scheme: 'lerned' given, expected one of alibi, "
    ):
        check_configurations.main(tmp_path)
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("  order: 4 ", "  order: 9 ", "grid.order: 9 given, expected less than or equal to 6"),
        (
            "tau_s: 1.0",
            "tau: 1.0",
            "network.tau: unknown key, and network.tau_s is missing; correct the spelling",
        ),
        ("data: {frame_step: 3}", "data: {}", "scales.small.recordings.data.frame_step: missing; add it"),
        ("epochs: 1200", "epochs: 0", "scales.small.probe.training.epochs: 0 given, expected greater than"),
    ],
)
def test_a_mistake_in_any_task_s_parameters_is_found(
    right: str, wrong: str, message: str, tmp_path: Path
) -> None:
    text = (ROOT / "params.yaml").read_text()
    assert right in text
    (tmp_path / "params.yaml").write_text(text.replace(right, wrong))
    with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
        check_configurations.main(tmp_path)

import re
from pathlib import Path

import pytest

from stages import check_configurations

ROOT = Path(__file__).parents[1]


def test_the_project_s_own_configurations_are_valid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "params.yaml").write_text((ROOT / "params.yaml").read_text())
    monkeypatch.chdir(tmp_path)
    check_configurations.main()
    assert Path("data/configurations.json").is_file()


def test_the_last_configuration_s_mistake_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "params.yaml").read_text()
    text = re.sub(
        r"^  grid:\n    none", "  grid:\n    late: {scheme: lerned}\n    none", text, flags=re.MULTILINE
    )
    (tmp_path / "params.yaml").write_text(text)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        ValueError, match=r"^sweep\.grid\.late\.scheme: 'lerned' given, expected one of alibi, "
    ):
        check_configurations.main()
    assert not Path("data").exists()

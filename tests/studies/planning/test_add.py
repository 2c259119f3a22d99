import shutil
from difflib import ndiff
from pathlib import Path

from commands import ROOT

from stages.studies.planning.add import FILE, add


def test_a_study_is_listed_once_and_all_other_lines_stay(tmp_path: Path) -> None:
    for name in ("params.yaml", "studies", "data/reference"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, tmp_path / name)
    before = (tmp_path / FILE).read_text()
    study = tmp_path / "studies/mine.yaml"
    study.write_text((tmp_path / "studies/zero.yaml").read_text())
    for _ in range(2):
        add(tmp_path, "mine")
    changed = [
        line
        for line in ndiff(before.splitlines(), (tmp_path / FILE).read_text().splitlines())
        if line[0] in "+-"
    ]
    assert changed == ["-   - ran: []", "+   - ran:", "+       - mine", "+       - mine"]

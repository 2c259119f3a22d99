"""`dvc plots show` of the figures: every one, and nothing that a browser would fetch."""

import subprocess
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
DECLARED = yaml.safe_load((ROOT / "dvc.yaml").read_text())["plots"]


def test_the_page_asks_nobody(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "dvc", "plots", "show", "--out", str(tmp_path / "plots")]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    page = (tmp_path / "plots/index.html").read_text()
    assert page.count("<img") == len(DECLARED)
    assert "<script" not in page and "http:" not in page and "https:" not in page

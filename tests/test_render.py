import shutil
import subprocess
import sys
from pathlib import Path

import yaml
from changed_params import ROOT
from commands import call

from stages import render

PLOTS = yaml.safe_load((ROOT / "dvc.yaml").read_text())["plots"]


def test_figures_are_the_same_bytes_every_time(analysed: Path, tmp_path: Path) -> None:
    shutil.copytree(analysed, tmp_path, dirs_exist_ok=True)
    render.main(tmp_path)
    figures = {f"{Path(path).stem}.{suffix}" for path in PLOTS for suffix in ("png", "svg")}
    again = {path.name: path.read_bytes() for path in (tmp_path / render.FIGURES).iterdir()}
    assert set(again) == figures
    assert again == {name: (analysed / render.FIGURES / name).read_bytes() for name in figures}


def test_stages_that_only_read_start_without_torch() -> None:
    stages = "stages.evaluate, stages.align_tables, stages.render, stages.report"
    check = f"import sys, {stages}; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], cwd=ROOT).returncode == 0


def test_dvc_s_page_of_plots_asks_nobody(tmp_path: Path) -> None:
    call(ROOT, "dvc", "plots", "show", "--out", str(tmp_path / "plots"))
    page = (tmp_path / "plots/index.html").read_text()
    assert page.count("<img") == len(PLOTS)
    assert "<script" not in page and "http:" not in page and "https:" not in page

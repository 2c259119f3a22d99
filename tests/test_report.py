import hashlib
import re
import shutil
from pathlib import Path

import pytest
from changed_params import ROOT
from made_up import SWEEP, Configuration, Sweep, reported

from stages import report

NOTHING: Configuration = {"scheme": "none"}


@pytest.fixture(scope="module")
def written(analysed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a copy that may be changed."""
    folder = tmp_path_factory.mktemp("reported")
    shutil.copytree(analysed, folder, dirs_exist_ok=True)
    return folder / report.REPORT


def report_again(written: Path) -> str:
    report.main(written.parents[1])
    return written.read_text()


def test_same_results_same_bytes(written: Path) -> None:
    assert written.read_text() == report_again(written)


def test_it_holds_everything_and_no_more_than_it_may(written: Path) -> None:
    html = written.read_text()
    assert written.stat().st_size < 5e5
    assert html.count("<section id=") == len(report.SECTIONS)
    shown = re.findall(r'href="(figures/\w+)\.svg"><img src="\1\.png"', html)
    drawn = {f"figures/{path.stem}" for path in (written.parent / "figures").iterdir()}
    assert set(shown) == drawn and len(shown) == len(drawn) == 15
    assert str(written.parents[1]) not in html


def test_links_beside_it_lead_to_tables(written: Path) -> None:
    links = {part.split('"')[0] for part in written.read_text().split('href="tables/')[1:]}
    assert links and all((written.parent / "tables" / link).is_file() for link in links)


def test_pages_beside_it_are_in_the_repository(written: Path) -> None:
    pages = re.findall(r'href="(\w+/page\.html)"', written.read_text())
    assert len(pages) == 2 and all((ROOT / "reports" / page).exists() for page in pages)


def test_hashes_are_sha256(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("abc")
    of_file = hashlib.sha256(b"abc").hexdigest()
    assert report.sha256(tmp_path / "a") == of_file
    assert report.sha256(tmp_path) == hashlib.sha256(f"a {of_file}\n".encode()).hexdigest()


def test_versions_are_those_of_the_lock() -> None:
    versions = report.versions()
    assert set(versions) == set(report.PACKAGES)
    assert f"numpy=={versions['numpy']}\n" in report.VERSIONS.read_text()


@pytest.mark.parametrize(
    ("sweep", "focus"),
    [
        ({"none": NOTHING}, NOTHING),
        ({}, {"scheme": "learned", "init_std": 0.0}),
        ({"none": NOTHING, "learned_s020": SWEEP["learned_s020"]}, {"scheme": "learned", "init_std": None}),
    ],
)
def test_any_part_of_the_sweep_is_enough(sweep: Sweep, focus: Configuration, tmp_path: Path) -> None:
    html = reported(tmp_path, sweep, focus, seeds=1).read_text()
    assert len(list((tmp_path / "reports/figures").iterdir())) == 30
    assert html.count("<section id=") == len(report.SECTIONS)
    assert ">nan<" not in html

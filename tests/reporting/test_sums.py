import hashlib
from pathlib import Path

from changed_params import ROOT

from stages.parameters import params
from stages.reporting import provenance


def test_sums_are_sha256(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("abc")
    of_file = hashlib.sha256(b"abc").hexdigest()
    assert provenance.sum_up(tmp_path / "a") == of_file
    assert provenance.sum_up(tmp_path) == hashlib.sha256(f"a {of_file}\n".encode()).hexdigest()


def test_what_is_not_there_has_no_sum(tmp_path: Path) -> None:
    assert provenance.list_sums(tmp_path, ["grid"]) == {}
    (tmp_path / "data/tasks/grid").mkdir(parents=True)
    assert list(provenance.list_sums(tmp_path, ["grid", "network"])) == ["data/tasks/grid"]


def test_versions_are_those_of_the_lock() -> None:
    versions = provenance.list_versions()
    assert set(versions) == set(provenance.PACKAGES)
    assert f"numpy=={versions['numpy']}\n" in provenance.VERSIONS.read_text()


def test_every_task_has_its_sizes() -> None:
    settings = params.load(ROOT / params.FILE)
    rows = {row["task"]: row for row in provenance.list_sizes(ROOT, settings)}
    assert {"grid", "probe"} < set(rows) and rows["grid"]["epochs"] == settings.training("grid").epochs

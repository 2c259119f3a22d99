"""`make pull` and `make verify` where there is nothing to pull, or nothing was pulled."""

from pathlib import Path

import pytest
from published_project import Published, clone, pull_from
from tiny_project import call

from stages.reviewing import workspace
from stages.reviewing.pull import pull


def test_without_a_remote_one_line_says_where_and_how_to_set_it(published: Published, tmp_path: Path) -> None:
    checkout = clone(published, tmp_path / "clone")
    (checkout / ".dvc/config.local").unlink()
    run = call(checkout, "stages.reviewing.pull")
    assert run.returncode == 1 and run.stderr.count("\n") == 1, run.stderr
    assert f"{tmp_path}/published: 6 results are not there; say where" in run.stderr
    assert "`dvc remote modify --local published url URL`" in run.stderr


@pytest.mark.parametrize("url", ["http://127.0.0.1:9", "/proc/no/such/folder"])
def test_of_a_wrong_url_too(published: Published, tmp_path: Path, url: str) -> None:
    checkout = clone(published, tmp_path / "clone")
    pull_from(checkout, url)
    with pytest.raises(ValueError, match=f"{url}: .*remote modify --local"):
        pull(checkout)


def test_what_was_not_pulled_is_one_line_and_many_faults_are_cut(
    published: Published, tmp_path: Path
) -> None:
    checkout = clone(published, tmp_path / "clone")
    run = call(checkout, "stages.reviewing.verify")
    assert run.returncode == 1 and run.stdout.count("\n") == 1
    assert run.stdout.startswith("missing: 10 of ") and "`make pull` fetches them" in run.stdout
    assert pull(checkout)["fetched"] >= 10
    assert workspace.check(checkout) == []
    for path in (checkout / "data").rglob("*.*"):
        if path.name not in ("a.npy", ".gitignore"):
            path.unlink()
    for number in range(20):
        (checkout / f"reports/{number}").touch()
    faults = call(checkout, "stages.reviewing.verify").stdout.splitlines()
    assert len(faults) == 21 and faults[-1] == "and 9 more"


def test_damage_of_sums_or_lock_is_not_blamed_on_the_files(published: Published, tmp_path: Path) -> None:
    checkout = clone(published, tmp_path / "clone")
    pull(checkout)
    sums, lock = checkout / "reports/SHA256SUMS", checkout / "dvc.lock"
    whole = sums.read_text()
    sums.write_text("\n".join(line[::-1] if "data/" in line else line for line in whole.split("\n")))
    (fault,) = workspace.check(checkout)
    assert (fault.path, fault.kind) == ("reports/SHA256SUMS", "altered")
    number = next(line for line in whole.splitlines() if line.endswith("data/numbers.bin"))
    sums.write_text(whole.replace(number[:64], "0" * 64))
    (fault,) = workspace.check(checkout)
    assert fault.path == "reports/SHA256SUMS" and "dvc.lock confirms it" in fault.detail
    sums.write_text(whole)
    lock.write_text(lock.read_text().replace("      md5: ", "      md6: "))
    assert [(fault.path, fault.kind) for fault in workspace.check(checkout)] == [("dvc.lock", "altered")]

"""One archive of the tiny project: what it holds, what is pulled from it, and what is damaged."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest
import servers
from commands import attempt
from published_project import ROOT, Published, git, snapshot
from test_damage import KINDS, inflict, restore
from test_signatures import allow, make_key

from stages.reviewing import objects, records, unpack, verify
from stages.reviewing.archive import BUNDLE, bundle_history, write_archive
from stages.reviewing.crate import METADATA
from stages.reviewing.pull import pull
from stages.reviewing.unpack import SUMS, check_archive, find_archive


@pytest.fixture(scope="module")
def archive(published: Published, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("archive") / "all.zip"
    write_archive(published.project, path)
    return path


@pytest.fixture(scope="module")
def unpacked(archive: Path) -> Path:
    folder = archive.parent / "unpacked"
    unpack.extract(archive, folder)
    return folder


@pytest.fixture
def bare(unpacked: Path, tmp_path: Path) -> Path:
    """What its bundle holds, with no remote to pull from."""
    git(tmp_path, "clone", "-q", str(unpacked / BUNDLE), "clone")
    return tmp_path / "clone"


def test_it_is_the_same_again(archive: Path, published: Published, tmp_path: Path) -> None:
    write_archive(published.project, tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == archive.read_bytes()


def test_its_history_has_the_same_bytes_however_git_packs_it(tmp_path: Path) -> None:
    root, bundle = tmp_path / "project", tmp_path / "bundle"
    root.mkdir()
    git(root, "init", "--quiet")
    lines = [f"line {number} of some length" for number in range(300)]
    for number in range(20):
        lines[number * 7] = f"changed {number}"
        (root / "file").write_text("\n".join(lines))
        git(root, "add", ".")
        git(root, "-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-qm", str(number))
    bundles = set()
    for options in ((), ("--depth=1", "-F"), ("--window=2", "-f")):
        git(root, "repack", "-q", "-a", "-d", *options)
        bundle_history(root, bundle)
        bundles.add(bundle.read_bytes())
    assert len(bundles) == 1


def test_its_sums_are_those_of_sha256sum(unpacked: Path) -> None:
    subprocess.run(["sha256sum", "-c", "--strict", "--quiet", SUMS], check=True, cwd=unpacked)
    assert {BUNDLE, METADATA, "dvc.yaml", "reports/runs.csv"} <= records.read_sums(unpacked / SUMS).keys()
    assert check_archive(unpacked, Path("none")) == (["archive not signed"], [])


@pytest.mark.parametrize("packed", [True, False])
def test_a_clone_of_its_bundle_pulls_from_it(archive: Path, unpacked: Path, bare: Path, packed: bool) -> None:
    assert pull(bare, str(archive if packed else unpacked))["fetched"] >= 10
    assert not verify.check(bare)
    assert not objects.check_objects(bare / ".dvc/cache", objects.read_outputs(bare))


def test_over_http_and_by_doi(archive: Path, bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with servers.http(archive.parent) as url:
        monkeypatch.setattr(unpack, "RESOLVER", f"{url}/")
        monkeypatch.setattr(
            unpack, "find_archive", lambda page: page.replace("10.5281/zenodo.1", archive.name)
        )
        assert pull(bare, "doi:10.5281/zenodo.1")["fetched"] >= 10
        assert pull(bare, f"{url}/{archive.name}")["fetched"] == 0
    assert not verify.check(bare)


@pytest.mark.parametrize(
    ("links", "found"),
    [
        (['<https://a.org/x.zip> ; rel="item" ; type="application/zip"'], "https://a.org/x.zip"),
        (
            ['<https://o.org/1> ; rel="author" , <https://a.org/x?1,2> ; type="application/zip"; rel="item"'],
            None,
        ),
        (['<https://o.org/1> ; rel="item" ; type="text/html"', "<b> ; rel=item ; type=application/zip"], "b"),
        ([], ""),
    ],
)
def test_the_zip_of_a_repositorys_page(links: list[str], found: str | None) -> None:
    with servers.linking(links) as url:
        if found == "":
            with pytest.raises(ValueError, match="links to 0 zip files, expected 1; fetch it by hand"):
                find_archive(url)
        else:
            assert find_archive(url) == (found or "https://a.org/x?1,2")


def test_what_is_no_archive(bare: Path, tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_text("no zip")
    done = attempt(bare, "python", "-m", "stages.reviewing.pull", "--from", "../a.zip", PYTHONPATH=str(ROOT))
    assert (
        done.returncode == 1
        and done.stderr == "error: ../a.zip: not a whole zip (File is not a zip file); fetch it again\n"
    )


def test_two_hundred_faults_are_named(unpacked: Path) -> None:
    before = {name: file for name, file in snapshot(unpacked).items() if name != SUMS}
    for number in range(200):
        wrong = inflict(KINDS[number % len(KINDS)], unpacked, before, np.random.default_rng(number))
        _, faults = check_archive(unpacked, Path("none"))
        assert sorted(fault.path for fault in faults) == sorted(wrong)
        restore(unpacked, snapshot_with(unpacked, before))
    assert not check_archive(unpacked, Path("none"))[1]


def snapshot_with(root: Path, before: dict[str, tuple[bytes, int]]) -> dict[str, tuple[bytes, int]]:
    """As before, with the sums, which stay."""
    return before | {SUMS: ((root / SUMS).read_bytes(), (root / SUMS).stat().st_mode)}


def flip(content: bytes, random: np.random.Generator) -> bytes:
    at = int(random.integers(len(content)))
    return content[:at] + bytes([content[at] ^ 1 << int(random.integers(8))]) + content[at + 1 :]


def cut(content: bytes, random: np.random.Generator) -> bytes:
    return content[: random.integers(len(content))]


@pytest.mark.parametrize("damage", [flip, cut])
def test_of_a_damaged_zip_no_byte_is_taken_for_another(
    archive: Path, tmp_path: Path, damage: Callable[[bytes, np.random.Generator], bytes]
) -> None:
    """Some bits, such as dates, carry nothing: then the files come out whole."""
    with ZipFile(archive) as whole:
        content = {name: whole.read(name) for name in whole.namelist()}
    for number in range(30):
        (tmp_path / "a.zip").write_bytes(damage(archive.read_bytes(), np.random.default_rng(number)))
        try:
            with unpack.unpack(str(tmp_path / "a.zip")) as folder:
                if not check_archive(folder, Path("none"))[1]:
                    assert {name: file for name, (file, _) in snapshot(folder).items()} == content
        except ValueError as error:
            assert "not a whole zip" in str(error)


def test_signed_and_altered(published: Published, tmp_path: Path) -> None:
    key = make_key(tmp_path / "key")
    write_archive(published.project, tmp_path / "a.zip", key)
    signers = allow(tmp_path, author=key)
    with unpack.unpack(str(tmp_path / "a.zip")) as folder:
        assert check_archive(folder, signers) == (["archive signed by author"], [])
        crate = json.loads((folder / METADATA).read_text())
        crate["@graph"][1]["name"] = "Another"
        (folder / METADATA).write_text(json.dumps(crate))
        _, faults = check_archive(folder, signers)
        assert [str(fault) for fault in faults] == [f"altered: {METADATA} (not as its sum)"]
        (folder / SUMS).write_text((folder / SUMS).read_text().replace("a", "b"))
        assert check_archive(folder, signers)[1][0].kind == "wrong signature"
        assert (
            check_archive(folder, allow(tmp_path, author=make_key(tmp_path / "b")))[1][0].kind
            == "wrong signature"
        )


def test_what_is_not_published_is_not_archived(published: Published, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(published.project, tmp_path / "copy"))
    (copy / "reports/runs.csv").write_text("other")
    git(copy, "commit", "-aqm", "Other results")
    with pytest.raises(ValueError, match="altered: reports/runs.csv"):
        write_archive(copy, tmp_path / "a.zip")


def test_every_wheel_of_the_lock_has_its_hash() -> None:
    def versions(path: str, end: str) -> set[str]:
        lines = re.findall(rf"^([\w.-]+)==(\S+){end}", (ROOT / path).read_text(), re.MULTILINE)
        return {re.sub(r"[._]", "-", name).lower() + version for name, version in lines}

    hashed = versions("requirements.lock", r" \\\n    --hash=sha256:[0-9a-f]{64}")
    assert hashed == versions("stages/requirements.lock", "$")

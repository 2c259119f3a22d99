"""Every reader names the command that fetches a file, if a pointer stands for it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from stages.core.settings.errors import InputError
from stages.files import artifacts
from stages.files.pointers import refuse_pointer
from stages.measure_table.formats import SUFFIXES, list_tensors
from stages.measure_table.places import read_places
from stages.tasks.grid.puzzle_files import read_puzzles
from stages.tasks.network.graph_files import from_file
from stages.tasks.recordings.find_files import find_file, find_runs
from stages.tasks.recordings.readers import arrays, cifti
from stages.tasks.recordings.readers.images import load_nifti

KEY = "annex/objects/Xk/2j/MD5E-s80--900150983cd24fb0d6963f7d28e17f72"
LFS = f"version https://git-lfs.github.com/spec/v1\noid sha256:{64 * 'a'}\nsize 12345\n"


def stand_in(path: Path, kind: str) -> None:
    if kind == "link":
        path.symlink_to(f".git/{KEY}/{path.name}")
    else:
        path.write_text(LFS if kind == "lfs" else f"/{KEY}{path.suffix}\n", encoding="utf-8")


KINDS = {
    "lfs": r"is a pointer of Git LFS.*run `git lfs pull`",
    "link": r"is a link of git-annex.*run `git annex get`",
    "unlocked": r"is a pointer of git-annex.*run `git annex get`",
}
READERS: list[tuple[str, Callable[[Path], object]]] = [
    *((f"table{suffix}", list_tensors) for suffix in SUFFIXES),
    ("places.csv", lambda path: read_places(str(path), 12)),
    ("weights.csv", from_file),
    ("puzzles.csv", lambda path: read_puzzles(path, 4)),
    ("run.npy", lambda path: arrays.read_run(path, ["a"])),
    ("run.npz", lambda path: arrays.read_run(path, ["a"])),
    ("run.csv", lambda path: arrays.read_run(path, ["a"])),
    ("run.nii.gz", lambda path: load_nifti(path, 4)),
    ("run.dtseries.nii", cifti.load_series),
    ("regions.csv", lambda path: find_file(path.parent, "positions", path.name)),
    ("a_run.npy", lambda path: find_runs(path.parent, "{subject}_run.npy")),
    ("table.json", artifacts.read_json),
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("name", "read"), READERS, ids=[row[0] for row in READERS])
def test_every_reader_names_the_command(
    name: str, read: Callable[[Path], object], kind: str, tmp_path: Path
) -> None:
    stand_in(tmp_path / name, kind)
    with pytest.raises(InputError, match=KINDS[kind]) as caught:
        read(tmp_path / name)
    assert name in str(caught.value) and "\n" not in str(caught.value)


def test_nobody_is_passed_over_whose_run_was_not_fetched(tmp_path: Path) -> None:
    for person in "ab":
        (tmp_path / person).mkdir()
    (tmp_path / "a/run.npy").touch()
    stand_in(tmp_path / "b/run.npy", "link")
    with pytest.raises(InputError, match=r"b/run.npy is a link of git-annex"):
        find_runs(tmp_path, "{subject}/run.npy")


def test_a_link_to_nothing_is_named_and_whole_files_and_links_to_them_pass(tmp_path: Path) -> None:
    (tmp_path / "link.npy").symlink_to("gone.npy")
    with pytest.raises(InputError, match=r"link\.npy is a link to gone\.npy, which is not there"):
        refuse_pointer(tmp_path / "link.npy")
    (tmp_path / "gone.npy").write_bytes(b"version of my own")
    for name in ("link.npy", "gone.npy", "none.npy"):
        refuse_pointer(tmp_path / name)

import hashlib
from pathlib import Path

import pytest

from stages.running.cache import cache_of, drop_damaged


@pytest.mark.parametrize(("configured", "folder"), [("", ".dvc/cache"), ("dir = /far/c", "/far/c")])
def test_the_cache_is_where_dvc_is_told_that_it_is(configured: str, folder: str, tmp_path: Path) -> None:
    assert cache_of(tmp_path) == tmp_path / ".dvc/cache"
    (tmp_path / ".dvc").mkdir()
    (tmp_path / ".dvc/config.local").write_text(f"[cache]\n    {configured}\n")
    assert cache_of(tmp_path) == tmp_path / folder


def test_objects_that_are_not_what_their_names_say_are_deleted(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("whole", "damaged", "absent")]
    for file in files:
        file.write_text(file.name)
    md5 = [hashlib.md5(file.read_bytes()).hexdigest() for file in files]
    objects = [tmp_path / ".dvc/cache/files/md5" / each[:2] / each[2:] for each in md5]
    for found, content in zip(objects, ["whole", "Damaged"], strict=False):
        found.parent.mkdir(parents=True)
        found.write_text(content)
        found.chmod(0o444)
    drop_damaged(tmp_path, files)
    assert [found.exists() for found in objects] == [True, False, False]

from pathlib import Path

import pytest

from stages.running.cache import cache_of


@pytest.mark.parametrize(("configured", "folder"), [("", ".dvc/cache"), ("dir = /far/c", "/far/c")])
def test_the_cache_is_where_dvc_is_told_that_it_is(configured: str, folder: str, tmp_path: Path) -> None:
    assert cache_of(tmp_path) == tmp_path / ".dvc/cache"
    (tmp_path / ".dvc").mkdir()
    (tmp_path / ".dvc/config.local").write_text(f"[cache]\n    {configured}\n")
    assert cache_of(tmp_path) == tmp_path / folder

"""Fixtures that several test modules share."""

from pathlib import Path

import pytest

from stages import params
from stages.fetch_recordings import fetch

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def recordings_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The recordings as really fetched, once per test session; without a network the tests fail."""
    folder = tmp_path_factory.mktemp("fetched") / "recordings"
    fetch(params.load(ROOT / "params.yaml").recordings, folder)
    return folder

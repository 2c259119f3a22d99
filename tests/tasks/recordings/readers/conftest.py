from pathlib import Path
from typing import Any

import pytest

from stages.tasks.recordings.fetch import PARCEL_FILES, PARCELS
from stages.tasks.recordings.readers import parcels
from stages.tasks.recordings.readers.parcels import Parcels
from stages.tasks.wheels import fetch


@pytest.fixture(scope="session")
def fetched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("parcels") / "parcels"
    fetch(PARCELS, folder, PARCEL_FILES.get)
    return folder


@pytest.fixture(scope="session")
def glasser(fetched: Path) -> Parcels:
    return parcels.read_glasser(fetched)


@pytest.fixture
def h5py() -> Any:
    return pytest.importorskip("h5py", reason="the extra nwb is not installed")

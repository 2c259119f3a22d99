"""A tiny project, published."""

from pathlib import Path

import pytest
from published_project import Published, clone, make_project, publish_to_folder


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny project after its run, committed; many modules have a project of their own instead."""
    return make_project(tmp_path_factory.mktemp("tiny") / "project")


@pytest.fixture(scope="session")
def published(project: Path) -> Published:
    return publish_to_folder(project)


@pytest.fixture
def checkout(published: Published, tmp_path: Path) -> Path:
    """A fresh clone that has not pulled yet."""
    return clone(published, tmp_path / "clone")

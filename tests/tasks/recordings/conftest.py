from pathlib import Path

import pytest
from own_recordings import write_own


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """Return a folder of two people's recordings, beside the params.yaml that names it."""
    return write_own(tmp_path)

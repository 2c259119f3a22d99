"""Figures are drawn as the stages draw them."""

from collections.abc import Iterator

import pytest

from stages.figures import style


@pytest.fixture(autouse=True)
def drawn_in_house_style() -> Iterator[None]:
    with style.house():
        yield

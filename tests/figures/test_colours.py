import pytest
from made_studies import make_study

from stages.figures import colours, contrast
from stages.figures.colours import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY
from stages.studies.schema import Figure

pytestmark = pytest.mark.usefixtures("house_style")

CELLS = {
    "small": {"scheme": "learned"},
    "fixed": {"scheme": "mds", "trained": False},
    "sinusoidal_1d": {"scheme": "sinusoidal_1d"},
    "rope": {"scheme": "rope"},
    "shuffled": {"scheme": "mds", "exchanged": True},
    "small_shuffled": {"scheme": "learned", "start": {"tables": "small", "exchanged": True, "frozen": True}},
    "small_as_drawn": {"scheme": "learned", "start": {"tables": "small", "state": "initial", "frozen": True}},
    "small_frozen": {"scheme": "learned", "start": {"tables": "small", "frozen": True}},
    "functional": {"scheme": "learned", "start": {"tables": "fixed", "frozen": True}},
    "random": {"scheme": "learned", "start": {"tables": "rope", "frozen": True}},
}
EXPECTED = [BLUE, GREEN, SKY, GREY, PURPLE, PURPLE, ORANGE, BLUE, GREEN, ORANGE, BLUE]


def test_colours_say_what_a_table_is() -> None:
    looks = colours.list_looks(make_study(Figure("lines"), cells=CELLS))
    assert dict(zip(looks, EXPECTED, strict=True)) == {cell: look.colour for cell, look in looks.items()}
    of_blue = [look for look in looks.values() if look.colour == BLUE]
    assert len({(look.marker, look.dash) for look in of_blue}) == len(of_blue)


def test_cells_of_the_figure_have_the_first_looks() -> None:
    looks = colours.list_looks(make_study(Figure("lines", cells=["small_frozen"]), cells=CELLS))
    assert looks["small_frozen"].dash == "-" and looks["small"].dash != "-"


@pytest.mark.parametrize("colour", [*colours.OF_GROUPS, GREY])
def test_letters_of_every_colour_are_dark_enough(colour: str) -> None:
    dark = contrast.darken(colour)
    assert contrast.measure_contrast(dark) >= contrast.LEAST_CONTRAST
    assert dark == colour or contrast.measure_contrast(colour) < contrast.LEAST_CONTRAST


def test_contrast_is_that_of_wcag() -> None:
    assert [contrast.measure_contrast(one) for one in ("#000000", "#ffffff")] == pytest.approx([21, 1])
    assert contrast.measure_contrast("#767676") == pytest.approx(4.54, abs=0.01)  # the usual example


def test_larger_groups_are_coloured_first_and_lone_tokens_grey() -> None:
    groups = ["b", "a", "b", "none", "c", "c", "none"]
    assert colours.assign_colours(groups) == {"a": GREY, "b": BLUE, "c": ORANGE, "none": GREY}
